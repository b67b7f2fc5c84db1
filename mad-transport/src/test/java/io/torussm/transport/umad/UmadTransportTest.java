package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sending and receiving through an open port. */
class UmadTransportTest extends UmadCase {
    @Test
    void choosesTheAgentByClassAndPassesTheTimeoutOn() throws TransportException {
        try (UmadTransport transport = open()) {
            assertThat(transport.send(frame(MgmtClass.SUBN_DIRECTED_ROUTE), 200))
                    .isTrue();
            assertThat(transport.send(frame(MgmtClass.SUBN_LID), 0)).isTrue();
            assertThat(transport.send(frame(MgmtClass.SUBN_ADM), 0)).isTrue();
            assertThat(transport.send(frame(MgmtClass.PERF_MGT), 200)).isTrue();
            assertThat(transport.send(frame(MgmtClass.CONGESTION_CONTROL), 100)).isTrue();
            assertThat(transport.send(frame(0x07), 200)).isFalse();
            assertThat(umad.calls())
                    .endsWith(
                            "send agent 0 timeout 200",
                            "send agent 1 timeout 0",
                            "send agent 2 timeout 0",
                            "send agent 3 timeout 200",
                            "send agent 4 timeout 100");
        }
    }

    @Test
    void doesWithoutPerformanceManagementWhereItCannotRegister() throws TransportException {
        umad.failing("register 0x04", ErrnoException.EINVAL);
        try (UmadTransport transport = open()) {
            assertThat(transport.send(frame(MgmtClass.PERF_MGT), 200)).isFalse();
            assertThat(transport.send(frame(MgmtClass.CONGESTION_CONTROL), 100)).isTrue();
            assertThat(transport.send(frame(MgmtClass.SUBN_ADM), 0)).isTrue();
        }
    }

    @Test
    void refusesMadsOfAnotherSize() throws TransportException {
        try (UmadTransport transport = open()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> transport.send(new MadFrame(MadAddress.DIRECTED, new byte[255]), 0));
        }
    }

    @Test
    void leavesRmppToTheKernelOnRequestAndSendsMessagesWhole() throws TransportException {
        try (UmadTransport transport = UmadTransport.open(umad, PortChoice.firstUsable(), true)) {
            assertThat(umad.calls()).contains("registerKernelRmpp 0x03 v2 0x3c0006");
            byte[] table = new byte[5000];
            System.arraycopy(frame(MgmtClass.SUBN_ADM).mad(), 0, table, 0, 56);
            assertThatIllegalArgumentException()
                    .as("a long MAD that is no RMPP")
                    .isThrownBy(() -> transport.send(new MadFrame(new MadAddress(5, 1, 0, 0), table), 0));
            SaMad.RMPP_FLAGS.set(table, 0, SaMad.FLAG_ACTIVE);
            assertThat(transport.send(new MadFrame(new MadAddress(5, 1, 0, 0), table), 0))
                    .isTrue();
        }
    }

    @Test
    void tellsTheSenderWhenTheDeviceRefuses() throws TransportException {
        umad.failing("send", ErrnoException.EIO);
        try (UmadTransport transport = open()) {
            assertThat(transport.send(frame(MgmtClass.SUBN_LID), 200)).isFalse();
        }
    }

    @Test
    void handsOverWhatArrivesInOrder() throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            MadFrame reply = frame(MgmtClass.SUBN_DIRECTED_ROUTE);
            MadFrame returned =
                    new MadFrame(MadAddress.DIRECTED, Smp.directed(Method.GET, 1, 0x11, 0, 0, DrPath.LOCAL), true);
            umad.arrive(reply);
            umad.arrive(returned);
            assertThat(inbox.next()).isSameAs(reply);
            assertThat(inbox.next()).isSameAs(returned);
        }
    }

    /** A thread that waits for responses receives them itself, until it does other work. */
    @Test
    void leavesReceivingToAThreadThatReceivesInline() throws Exception {
        try (UmadTransport transport = open()) {
            Set<Thread> receivers = ConcurrentHashMap.newKeySet();
            transport.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    receivers.add(Thread.currentThread());
                    inbox.received(frame);
                }

                @Override
                public void transportFailed(String reason) {
                    inbox.transportFailed(reason);
                }
            });
            int frames = 0;
            while (!receivers.contains(Thread.currentThread())) {
                umad.arrive(frame(MgmtClass.SUBN_LID));
                frames++;
                transport.receiveInline(1);
            }
            transport.resumeReceiveThread();
            for (int i = 0; i < frames; i++) {
                inbox.next();
            }
            receivers.clear();
            MadFrame last = frame(MgmtClass.SUBN_LID);
            umad.arrive(last);
            assertThat(inbox.next()).isSameAs(last);
            assertThat(receivers).doesNotContain(Thread.currentThread());
        }
    }

    /** A thread that receives itself and then does long work delays no MADs. */
    @Test
    void continuesReceivingWithoutANotification() throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            transport.receiveInline(1);
            MadFrame frame = frame(MgmtClass.SUBN_ADM);
            umad.arrive(frame);
            assertThat(inbox.next()).isSameAs(frame);
        }
    }

    static List<Throwable> defects() {
        return List.of(
                new IllegalStateException("provoked"),
                new NoClassDefFoundError("provoked"),
                new AssertionError("provoked"),
                new StackOverflowError("provoked"),
                new OutOfMemoryError("provoked"));
    }

    @ParameterizedTest
    @MethodSource("defects")
    void goesOnReceivingWhenTheReceiverFailsOnOneMad(Throwable defect) throws Exception {
        try (UmadTransport transport = open()) {
            MadFrame bad = frame(MgmtClass.SUBN_LID);
            MadFrame good = frame(MgmtClass.SUBN_ADM);
            transport.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    if (MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_LID) {
                        if (defect instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) defect;
                    }
                    inbox.received(frame);
                }

                @Override
                public void transportFailed(String reason) {
                    inbox.transportFailed(reason);
                }
            });
            umad.arrive(bad);
            umad.arrive(good);
            assertThat(inbox.next()).isSameAs(good);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {ErrnoException.EIO, ErrnoException.ENODEV})
    void reportsThatThePortIsGone(int errno) throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            umad.failReceive(errno);
            assertThat(inbox.next()).asString().contains("mlx5_0 port 1").contains("cannot receive any more");
        }
    }

    /** The error would have no other symptom: an SM that receives nothing waits for responses. */
    @ParameterizedTest
    @MethodSource("defects")
    void reportsTheEndOfReceivingForAnyEndOfTheThread(Throwable defect) throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            umad.failReceive(defect);
            assertThat(inbox.next()).asString().contains("mlx5_0 port 1").contains("provoked");
        }
    }

    @Test
    void reportsTheLossAndTheReturnOfTheLink() throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            umad.setPortState(1);
            assertThat(inbox.next()).isEqualTo("unusable: mlx5_0 port 1 has no link");
            umad.setPortState(2);
            assertThat(inbox.next()).isEqualTo("usable: ");
        }
    }
}
