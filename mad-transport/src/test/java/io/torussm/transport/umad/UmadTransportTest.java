package io.torussm.transport.umad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.PortNotReadyException;
import io.torussm.transport.TransportException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class UmadTransportTest {
    private final FakeUmad umad = new FakeUmad();
    private final Inbox inbox = new Inbox();

    /** Keeps what the transport says, in order. */
    private static final class Inbox implements MadTransport.Receiver {
        private final LinkedBlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void received(MadFrame frame) {
            events.add(frame);
        }

        @Override
        public void transportFailed(String why) {
            events.add(why);
        }

        @Override
        public void portChanged(boolean isUsable, String why) {
            events.add((isUsable ? "usable: " : "unusable: ") + why);
        }

        Object next() throws InterruptedException {
            Object event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event).as("an event within 30 s").isNotNull();
            return event;
        }
    }

    private UmadTransport open() throws TransportException {
        return UmadTransport.open(umad, PortChoice.firstUsable(), false);
    }

    private static MadFrame frame(int mgmtClass) {
        return new MadFrame(
                new MadAddress(5, 1, 0, 0), MadHeader.create(mgmtClass, 1, Method.GET, 1, NodeInfo.TYPE.id(), 0));
    }

    @Test
    void registersForWhatAnSmAndSaAreSent() throws TransportException {
        try (UmadTransport transport = open()) {
            assertThat(umad.diary())
                    .containsExactly(
                            "open mlx5_0 1",
                            "register 0x81 v1 0xa6",
                            "register 0x01 v1 0xa6",
                            "registerUserRmpp 0x03 v2 0x3c0006",
                            "register 0x04 v1 0x0",
                            "register 0x21 v2 0x0");
            assertThat(transport.localPort()).isEqualTo(new LocalPort("mlx5_0", 1, FakeUmad.PORT.portGuid()));
            assertThat(transport.maxOutstanding()).isEqualTo(512);
            assertThat(transport.returnsUnanswered()).isTrue();
        }
    }

    @Test
    void keepsFewRequestsInFlightOnIbsim() throws TransportException {
        umad.having(new PortDescription("ibsim0", 1, 0x100001, 0, 2, "IB"));
        try (UmadTransport transport = open()) {
            assertThat(transport.maxOutstanding() + transport.maxOutstandingGmps())
                    .isEqualTo(16);
            assertThat(transport.maxOutstandingGmps()).isEqualTo(3);
            assertThat(transport.returnsUnanswered()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {ErrnoException.EINVAL, 25})
    void registersForSaMadsTheOldWayWhereUserRmppIsUnknown(int errno) throws TransportException {
        umad.failing("registerUserRmpp", errno);
        try (UmadTransport transport = open()) {
            assertThat(umad.diary()).contains("register 0x03 v2 0x3c0006");
            assertThat(transport.send(frame(MgmtClass.SUBN_ADM), 0)).isTrue();
        }
    }

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
            assertThat(umad.diary())
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
            assertThat(umad.diary()).contains("registerKernelRmpp 0x03 v2 0x3c0006");
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
    void aKernelThatWillNotDoRmppIsNoReasonToDoWithout() {
        umad.failing("registerKernelRmpp", ErrnoException.EINVAL);
        assertThatThrownBy(() -> UmadTransport.open(umad, PortChoice.firstUsable(), true))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("class 0x03");
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

    /** Whoever waits for answers receives them on its own thread, until it does something else. */
    @Test
    void standsAsideForWhoeverReceivesItself() throws Exception {
        try (UmadTransport transport = open()) {
            Set<Thread> receivers = ConcurrentHashMap.newKeySet();
            transport.start(new MadTransport.Receiver() {
                @Override
                public void received(MadFrame frame) {
                    receivers.add(Thread.currentThread());
                    inbox.received(frame);
                }

                @Override
                public void transportFailed(String why) {
                    inbox.transportFailed(why);
                }
            });
            int frames = 0;
            while (!receivers.contains(Thread.currentThread())) {
                umad.arrive(frame(MgmtClass.SUBN_LID));
                frames++;
                transport.receiveHere(1);
            }
            transport.leaveReceiving();
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

    /** A thread that receives itself and then does something long keeps nobody's MADs waiting. */
    @Test
    void goesOnReceivingIfItIsNotTold() throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            transport.receiveHere(1);
            MadFrame frame = frame(MgmtClass.SUBN_ADM);
            umad.arrive(frame);
            assertThat(inbox.next()).isSameAs(frame);
        }
    }

    @Test
    void nobodyReceivesFromAPortThatIsClosed() throws Exception {
        UmadTransport transport = open();
        transport.start(inbox);
        transport.close();
        umad.arrive(frame(MgmtClass.SUBN_ADM));
        assertThat(transport.receiveHere(1)).isEqualTo(MadTransport.Receipt.NOTHING);
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
                public void transportFailed(String why) {
                    inbox.transportFailed(why);
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
            umad.breakDown(errno);
            assertThat(inbox.next()).asString().contains("mlx5_0 port 1").contains("cannot receive any more");
        }
    }

    /** Nobody would notice otherwise: an SM that is deaf waits for answers. */
    @ParameterizedTest
    @MethodSource("defects")
    void reportsThatNothingIsReceivedAnyMoreWhateverEndsTheThread(Throwable defect) throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            umad.breakDown(defect);
            assertThat(inbox.next()).asString().contains("mlx5_0 port 1").contains("provoked");
        }
    }

    /** A send that the device does not take holds up no end; its handle is kept, since it is in use. */
    @Test
    void closesWithinItsTimeWhileASendBlocks() throws Exception {
        UmadTransport transport = open();
        transport.start(inbox);
        CountDownLatch goOn = umad.blockingSends();
        Thread sender = new Thread(() -> transport.send(frame(MgmtClass.SUBN_LID), 0));
        sender.start();
        umad.awaitSend();
        Thread closer = new Thread(transport::close);
        closer.start();
        closer.join(10_000);
        boolean isClosed = !closer.isAlive();
        goOn.countDown();
        assertThat(isClosed).isTrue();
        sender.join();
        assertThat(umad.diary()).doesNotContain("close");
    }

    /** umad2sim's own thread reads through a null pointer when something comes for an agent that is gone, and the process with it. */
    @Test
    void keepsTheAgentsOfASimulatedPort() throws Exception {
        umad.having(new PortDescription("ibsim0", 1, 0x100001, 0, 2, "IB"));
        UmadTransport transport = open();
        transport.start(inbox);
        transport.setIsSm(true);
        transport.close();
        assertThat(umad.diary()).last().isEqualTo("closeIsSm 8");
    }

    @Test
    void clearsIsSmFirstAndGivesThePortBackLast() throws Exception {
        UmadTransport transport = open();
        transport.start(inbox);
        transport.setIsSm(true);
        transport.setIsSm(true);
        transport.close();
        transport.close();
        assertThat(umad.diary().subList(6, umad.diary().size()))
                .containsExactly(
                        "openIsSm",
                        "closeIsSm 8",
                        "unregister 4",
                        "unregister 3",
                        "unregister 2",
                        "unregister 1",
                        "unregister 0",
                        "close");
        assertThat(transport.send(frame(MgmtClass.SUBN_LID), 0)).isFalse();
        assertThatThrownBy(() -> transport.setIsSm(true))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("closed");
        assertThat(inbox.events).isEmpty();
    }

    @Test
    void mayBeClosedByTheReceiverItself() throws Exception {
        UmadTransport transport = open();
        transport.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {}

            @Override
            public void transportFailed(String why) {
                transport.close();
                inbox.transportFailed(why);
            }
        });
        umad.breakDown(ErrnoException.EIO);
        inbox.next();
        assertThat(umad.diary()).endsWith("close");
    }

    @Test
    void clearsIsSmOnRequest() throws TransportException {
        try (UmadTransport transport = open()) {
            transport.setIsSm(false);
            transport.setIsSm(true);
            transport.setIsSm(false);
            assertThat(umad.diary()).endsWith("openIsSm", "closeIsSm 8");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "open, 13, run as root",
        "open, 2, modprobe ib_umad",
        "open, 5, modprobe ib_umad",
        "register 0x81, 1, another subnet manager",
        "register 0x81, 22, another subnet manager",
        "register 0x01, 22, another subnet manager",
        "register, 22, another subnet manager"
    })
    void namesTheRemedyWhenThePortCannotBeOpened(String call, int errno, String remedy) {
        umad.failing(call, errno);
        assertThatThrownBy(this::open)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("mlx5_0 port 1")
                .hasMessageContaining(remedy);
        if (call.startsWith("register")) {
            assertThat(umad.diary()).endsWith("close");
        }
    }

    @Test
    void saysWhichClassIsTakenWhenTheSaCannotRegister() {
        umad.failing("registerUserRmpp", ErrnoException.EINVAL).failing("register 0x03", ErrnoException.EINVAL);
        assertThatThrownBy(this::open)
                .hasMessageContaining("class 0x03")
                .hasMessageContaining("another subnet manager");
    }

    @ParameterizedTest
    @CsvSource({"11, another process holds it", "16, another process holds it", "13, run as root", "2, modprobe ib_umad"
    })
    void namesTheRemedyWhenIsSmCannotBeSet(int errno, String remedy) throws TransportException {
        umad.failing("openIsSm", errno);
        try (UmadTransport transport = open()) {
            assertThatThrownBy(() -> transport.setIsSm(true))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining(remedy);
        }
    }

    /** A second subnet manager on the port fails to register, or, where the first one is of another kind, to set IsSM. */
    @ParameterizedTest
    @CsvSource({"register 0x81, 22", "register 0x81, 1", "openIsSm, 11", "openIsSm, 16"})
    void namesWhoHoldsThePort(String call, int errno) {
        umad.heldBy("opensm, pid 812, since 2026-01-31T09:30:00Z").failing(call, errno);
        assertThatThrownBy(() -> {
                    try (UmadTransport transport = open()) {
                        transport.setIsSm(true);
                    }
                })
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("mlx5_0 port 1")
                .hasMessageContaining("(opensm, pid 812, since 2026-01-31T09:30:00Z)")
                .hasMessageContaining("stop");
    }

    /** IsSM and SMPs are of the one, SA MADs of the other. */
    @Test
    void anAdapterInTwoHalvesIsOpenedTwice() throws Exception {
        PortDescription smi = new PortDescription("smi1", 2, FakeUmad.PORT.portGuid(), 3, 4, "InfiniBand");
        umad.having(FakeUmad.PORT, smi).pairing("smi1", "mlx5_0");
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            assertThat(umad.diary())
                    .containsExactly(
                            "open smi1 2",
                            "open mlx5_0 1",
                            "register 0x81 v1 0xa6",
                            "register 0x01 v1 0xa6",
                            "registerUserRmpp 0x03 v2 0x3c0006",
                            "register 0x04 v1 0x0",
                            "register 0x21 v2 0x0");
            transport.send(frame(MgmtClass.SUBN_DIRECTED_ROUTE), 200);
            transport.send(frame(MgmtClass.SUBN_ADM), 0);
            assertThat(umad.diary()).endsWith("send agent 0 timeout 200", "send agent 2 timeout 0 on 17");
            umad.breakDown(ErrnoException.EIO);
            umad.breakDown(ErrnoException.EIO);
            inbox.next();
        }
        assertThat(umad.diary()).endsWith("unregister 2", "close", "unregister 1", "unregister 0", "close");
        assertThat(inbox.events).as("the second failure").isEmpty();
    }

    @Test
    void aPortWithoutItsQueuePairIsNotBlamedOnAnotherSubnetManager() {
        umad.failing("register 0x81", ErrnoException.EPROTONOSUPPORT);
        assertThatThrownBy(this::open)
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("lacks the queue pair")
                .hasMessageContaining("virtual function")
                .hasMessageNotContaining("another subnet manager");
    }

    @Test
    void tellsThatTheLinkIsLostAndThatItIsBack() throws Exception {
        try (UmadTransport transport = open()) {
            transport.start(inbox);
            umad.show(1);
            assertThat(inbox.next()).isEqualTo("unusable: mlx5_0 port 1 has no link");
            umad.show(2);
            assertThat(inbox.next()).isEqualTo("usable: ");
        }
    }

    @Test
    void goesPastEthernetPortsToTheInfiniBandOne() throws TransportException {
        umad.having(
                new PortDescription("irdma0", 1, 0x31, 0, 4, "Ethernet"),
                new PortDescription("irdma1", 1, 0x32, 0, 4, "Ethernet"),
                new PortDescription("mlx5_0", 1, 0x11, 0, 2, "InfiniBand"));
        try (UmadTransport transport = open()) {
            assertThat(transport.localPort()).isEqualTo(new LocalPort("mlx5_0", 1, 0x11));
        }
    }

    @Test
    void whatMayComeLaterIsWorthWaitingFor() {
        umad.having();
        assertThatThrownBy(this::open).isInstanceOf(PortNotReadyException.class);
        umad.having(
                new PortDescription("mlx5_0", 1, 0x11, 0, 1, "InfiniBand"),
                new PortDescription("mlx5_0", 2, 0x12, 0, 1, "InfiniBand"));
        assertThatThrownBy(this::open).isInstanceOf(PortNotReadyException.class).hasMessageContaining("has a link");
        umad.having(FakeUmad.PORT).failing("open", ErrnoException.ENOENT);
        assertThatThrownBy(this::open).isInstanceOf(PortNotReadyException.class);
        umad.failing("open", ErrnoException.EACCES);
        assertThatThrownBy(this::open).isNotInstanceOf(PortNotReadyException.class);
    }

    /** Not a matter of drivers. */
    @Test
    void namesTheLimitWhenThereAreNoFileDescriptors() {
        umad.failing("open", ErrnoException.EMFILE);
        assertThatThrownBy(this::open).hasMessageContaining("LimitNOFILE").hasMessageNotContaining("modprobe");
    }

    @Test
    void asksForTheDriverWhenThereIsNoAdapter() {
        umad.having();
        assertThatThrownBy(this::open).isInstanceOf(TransportException.class).hasMessageContaining("modprobe ib_umad");
    }
}
