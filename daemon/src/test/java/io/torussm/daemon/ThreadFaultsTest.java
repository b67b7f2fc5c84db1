package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.SimFabric;
import io.torussm.sim.TorusSpec;
import io.torussm.transport.ForwardingTransport;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An error is thrown on each thread in turn: the SM goes on, counts it, and hands errors of the virtual machine over. */
@Timeout(120)
class ThreadFaultsTest {
    private static final Thread.UncaughtExceptionHandler BEFORE = Thread.getDefaultUncaughtExceptionHandler();

    @TempDir
    Path dir;

    private final BlockingQueue<Throwable> escalated = new LinkedBlockingQueue<>();
    private final Poisoned port = new Poisoned();

    ThreadFaultsTest() {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> escalated.add(thrown));
    }

    @AfterEach
    void restore() {
        Thread.setDefaultUncaughtExceptionHandler(BEFORE);
    }

    /** Throws an error on the thread that a test names, once, when that sends or hands over a MAD. */
    private static final class Poisoned implements SubnetManager.Surroundings {
        private final BlockingQueue<MadFrame> answers = new LinkedBlockingQueue<>();
        private volatile @Nullable Hub hub;
        private volatile String victim = "";
        private volatile Error poison = new AssertionError();
        private volatile CountDownLatch taken = new CountDownLatch(1);
        private volatile boolean isMute;

        private final class Hub extends ForwardingTransport {
            Hub(MadTransport inner) {
                super(inner);
            }

            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                bite();
                if (MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_ADM) {
                    answers.add(frame);
                    return true;
                }
                return isMute || super.send(frame, responseTimeoutMs);
            }

            private void bite() {
                if (Thread.currentThread().getName().startsWith(victim) && !victim.isEmpty()) {
                    victim = "";
                    taken.countDown();
                    throw poison;
                }
            }

            void ask(MadFrame frame) {
                super.received(frame);
            }
        }

        @Override
        public MadTransport port(SmOptions options, NettyLoop loop) {
            SimFabric fabric =
                    new SimFabric(TorusSpec.parse("torus:3x3x1,hosts=1").topology(), loop, FaultPlan.NONE);
            Hub now = new Hub(fabric.attach("host-0-0-0-0", 1));
            hub = now;
            return now;
        }

        @Override
        public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
            throw new AssertionError("there is no replication here");
        }

        void poison(String thread, Error error) {
            taken = new CountDownLatch(1);
            poison = error;
            victim = thread;
        }

        void ask(int lid, int method) {
            byte[] mad = MadHeader.create(MgmtClass.SUBN_ADM, SaMad.CLASS_VERSION, method, 77, NodeRecord.TYPE.id(), 0);
            Objects.requireNonNull(hub).ask(new MadFrame(new MadAddress(lid, 1, 0, 0), mad));
        }
    }

    private ServiceHarness start() throws Exception {
        ServiceHarness sm = new ServiceHarness(dir, Map.of(Settings.ROUTING_ENGINE, "updn"), port);
        assertThat(sm.end()).isEqualTo("up");
        return sm;
    }

    private static int lid(ServiceHarness sm) {
        var subnet = Objects.requireNonNull(sm.control().view()).subnet();
        return subnet.lid(subnet.fabric().portCount() - 1);
    }

    /** What an error on the loop, on a worker, or in a sweep is reported as. */
    private static long defects(ServiceHarness sm) {
        return Stream.of(SmEvent.DEFECT, SmEvent.SA_DEFECT, SmEvent.SWEEP_ABANDONED)
                .mapToLong(event -> sm.log.of(event).size())
                .sum();
    }

    private void assertServes(ServiceHarness sm) throws InterruptedException {
        port.answers.clear();
        port.ask(lid(sm), Method.GET_TABLE);
        assertThat(port.answers.poll(5, TimeUnit.SECONDS))
                .as("an answer of the SA")
                .isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm", "sa-worker"})
    void anErrorOnAThreadIsCountedAndTheSmGoesOn(String thread) throws Exception {
        try (ServiceHarness sm = start()) {
            assertServes(sm);
            for (int i = 0; i < 3; i++) {
                port.poison(thread, new AssertionError("provoked"));
                port.ask(lid(sm), Method.GET);
                sm.control().requestSweep(true);
                assertThat(port.taken.await(5, TimeUnit.SECONDS)).isTrue();
                sm.end();
                assertServes(sm);
            }
            sm.control().requestSweep(true);
            assertThat(sm.end()).isEqualTo("up");
            assertThat(defects(sm)).isGreaterThanOrEqualTo(3);
            assertThat(escalated).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm", "sa-worker"})
    void anErrorOfTheVirtualMachineEndsTheProcess(String thread) throws Exception {
        try (ServiceHarness sm = start()) {
            Error error = new OutOfMemoryError("provoked");
            port.poison(thread, error);
            port.ask(lid(sm), Method.GET);
            sm.control().requestSweep(true);
            assertThat(escalated.poll(5, TimeUnit.SECONDS)).isSameAs(error);
        }
    }

    /** A port that takes whatever is sent and answers nothing is worth no watchdog. */
    @Test
    void theWatchdogIsFedWhileTheOwnPortAnswersAndNotOtherwise() throws Exception {
        try (ServiceHarness sm = start()) {
            BlockingQueue<Integer> beats = new LinkedBlockingQueue<>();
            sm.service().beat(TimeUnit.MILLISECONDS.toNanos(20), () -> beats.add(0));
            for (int i = 0; i < 5; i++) {
                assertThat(beats.poll(20, TimeUnit.SECONDS)).isNotNull();
            }
            port.isMute = true;
            while (beats.poll(1, TimeUnit.SECONDS) != null) {
                // those that an answer under way still fed
            }
            port.isMute = false;
            assertThat(beats.poll(20, TimeUnit.SECONDS)).isNotNull();
        }
    }
}
