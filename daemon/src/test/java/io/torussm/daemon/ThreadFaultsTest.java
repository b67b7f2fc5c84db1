package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Halt;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.daemon.system.ServiceManager;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.port.ForwardingTransport;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * An error is thrown on each thread in turn: the SM goes on, counts it, and hands errors of the virtual machine over.
 */
@Timeout(120)
class ThreadFaultsTest {
    private static final Thread.UncaughtExceptionHandler BEFORE = Thread.getDefaultUncaughtExceptionHandler();

    /** More than what else the SM does leads to. */
    private static final int DEFECTS = 4;

    @TempDir
    Path dir;

    private final BlockingQueue<Throwable> escalated = new LinkedBlockingQueue<>();
    private final FaultyEnvironment port = new FaultyEnvironment();

    ThreadFaultsTest() {
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> escalated.add(thrown));
    }

    @AfterEach
    void restore() {
        Thread.setDefaultUncaughtExceptionHandler(BEFORE);
    }

    /** Throws an error on a selected thread, once, when that sends a MAD for the first time. */
    private static final class FaultyEnvironment implements SubnetManager.Environment {
        private final BlockingQueue<MadFrame> answers = new LinkedBlockingQueue<>();
        private volatile @Nullable FaultyPort hub;
        private volatile String faultyThread = "";
        private volatile Throwable fault = new AssertionError();
        private volatile boolean isSmRefused;
        private final Set<Long> sent = ConcurrentHashMap.newKeySet();
        private int tid;
        private volatile CountDownLatch faultThrown = new CountDownLatch(1);
        private volatile boolean isMute;

        private final class FaultyPort extends ForwardingTransport {
            FaultyPort(MadTransport inner) {
                super(inner);
            }

            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                throwIfSelected(MadHeader.tid(frame.mad()));
                if (MadHeader.mgmtClass(frame.mad()) == MgmtClass.SUBN_ADM) {
                    answers.add(frame);
                    return true;
                }
                return isMute || super.send(frame, responseTimeoutMs);
            }

            private void throwIfSelected(long ofTransaction) {
                boolean isNew = sent.add(ofTransaction);
                if (isNew && Thread.currentThread().getName().equals(faultyThread)) {
                    faultyThread = "";
                    faultThrown.countDown();
                    raise(fault);
                }
            }

            @Override
            public void setIsSm(boolean isSm) throws TransportException {
                if (isSmRefused) {
                    raise(fault);
                }
                super.setIsSm(isSm);
            }

            void ask(MadFrame frame) {
                super.received(frame);
            }
        }

        @Override
        public MadTransport port(SmOptions options, NettyLoop loop) {
            SimFabric fabric =
                    new SimFabric(TorusSpec.parse("torus:3x3x1,hosts=1").topology(), loop, FaultPlan.NONE);
            FaultyPort now = new FaultyPort(fabric.attach("host-0-0-0-0", 1));
            hub = now;
            return now;
        }

        @Override
        public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
            throw new AssertionError("there is no replication here");
        }

        private static void raise(Throwable thrown) {
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }

        void setFault(String thread, Throwable error) {
            faultThrown = new CountDownLatch(1);
            fault = error;
            faultyThread = thread;
        }

        void ask(int lid, int method) {
            byte[] mad =
                    MadHeader.create(MgmtClass.SUBN_ADM, SaMad.CLASS_VERSION, method, ++tid, NodeRecord.TYPE.id(), 0);
            Objects.requireNonNull(hub).ask(new MadFrame(new MadAddress(lid, 1, 0, 0), mad));
        }
    }

    static List<Arguments> faults() {
        return Stream.of("sm", "sa-worker", "sa")
                .flatMap(thread -> Stream.of(new AssertionError("provoked"), new IllegalStateException("provoked"))
                        .map(fault -> Arguments.of(thread, fault)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aFaultOnAThreadIsCountedAndTheSmGoesOn(String thread, Throwable fault) throws Exception {
        try (ServiceHarness sm = start()) {
            assertServes(sm);
            for (int i = 0; i < 3; i++) {
                provokeFault(sm, thread, fault);
                sm.end();
                assertServes(sm);
            }
            sm.control().requestSweep(true);
            assertThat(sm.end()).isEqualTo("up");
            assertThat(defects(sm)).isGreaterThanOrEqualTo(3);
            assertThat(escalated).isEmpty();
        }
    }

    static List<Arguments> fatalFaults() {
        return Stream.of("sm", "sa-worker", "sa")
                .flatMap(thread -> Stream.of(new OutOfMemoryError("provoked"), new StackOverflowError("provoked"))
                        .map(fault -> Arguments.of(thread, fault)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("fatalFaults")
    void anErrorOfTheVirtualMachineEndsTheProcess(String thread, Error error) throws Exception {
        try (ServiceHarness sm = start()) {
            provokeFault(sm, thread, error);
            assertThat(escalated.poll(60, TimeUnit.SECONDS)).isSameAs(error);
        }
    }

    /** The next light sweep comes also after one that failed. */
    @Test
    void lightSweepsGoOnAfterADefectInOne() throws Exception {
        Map<Setting<?>, String> settings = Map.of(Settings.ROUTING_ENGINE, "updn", Settings.SWEEP_INTERVAL, "1");
        try (ServiceHarness sm = new ServiceHarness(dir, settings, port)) {
            assertThat(sm.end()).isEqualTo("up");
            for (int i = 0; i < DEFECTS; i++) {
                port.setFault("sm", new IllegalStateException("provoked"));
                assertThat(port.faultThrown.await(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** An SM that could not begin would be deaf for ever. */
    @ParameterizedTest
    @MethodSource("beginnings")
    void aDefectAtTheBeginningEndsTheProcess(Throwable fault) throws Exception {
        port.setFault("", fault);
        port.isSmRefused = true;
        BlockingQueue<Integer> halted = new LinkedBlockingQueue<>();
        SmOptions options = ServiceHarness.options(
                dir,
                Map.of(
                        Settings.ROUTING_ENGINE,
                        "updn",
                        Settings.CONTROL_SOCKET,
                        dir.resolve("control.sock").toString(),
                        Settings.HTTP_LISTEN,
                        "none"));
        Daemon daemon = new Daemon(
                new Daemon.Setup(options, false, List.of(), () -> options),
                (now, host) -> SubnetManager.open(now, host, port),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                ServiceManager.of(Map.of(), 1),
                new Halt(halted::add, 10_000));
        CompletableFuture<ExitCode> end = new CompletableFuture<>();
        Thread main = new Thread(() -> {
            try {
                end.complete(daemon.run());
            } catch (InterruptedException e) {
                end.completeExceptionally(e);
            }
        });
        main.start();
        try {
            assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.INTERNAL_ERROR);
            assertThat(halted).hasSize(fault instanceof VirtualMachineError ? 1 : 0);
        } finally {
            daemon.stop("the test");
            main.join();
        }
    }

    static List<Throwable> beginnings() {
        return List.of(new IllegalStateException("provoked"), new OutOfMemoryError("provoked"));
    }

    /** A port that accepts all MADs and gets no response must not feed the watchdog. */
    @Test
    void theWatchdogIsFedWhileTheOwnPortAnswersAndNotOtherwise() throws Exception {
        try (ServiceHarness sm = start()) {
            BlockingQueue<Integer> beats = new LinkedBlockingQueue<>();
            sm.service().callPeriodically(TimeUnit.MILLISECONDS.toNanos(20), () -> beats.add(0));
            for (int i = 0; i < 5; i++) {
                assertThat(beats.poll(60, TimeUnit.SECONDS)).isNotNull();
            }
            port.isMute = true;
            while (beats.poll(1, TimeUnit.SECONDS) != null) {
                // fed by responses that were still under way
            }
            port.isMute = false;
            assertThat(beats.poll(60, TimeUnit.SECONDS)).isNotNull();
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

    /**
     * Returns the reported defects after an error on the loop, on a worker, in a sweep or after a response in
     * it.
     */
    private static long defects(ServiceHarness sm) {
        return Stream.of(SmEvent.DEFECT, SmEvent.SA_DEFECT, SmEvent.SWEEP_ABANDONED, SmEvent.CONTINUATION_FAILED)
                .mapToLong(event -> sm.log.of(event).size())
                .sum();
    }

    private void assertServes(ServiceHarness sm) throws InterruptedException {
        port.answers.clear();
        port.ask(lid(sm), Method.GET_TABLE);
        assertThat(port.answers.poll(60, TimeUnit.SECONDS))
                .as("an answer of the SA")
                .isNotNull();
    }

    private void provokeFault(ServiceHarness sm, String thread, Throwable fault) throws InterruptedException {
        port.setFault(thread, fault);
        port.ask(lid(sm), thread.equals("sa") ? Method.GET_TABLE : Method.GET);
        sm.control().requestSweep(true);
        assertThat(port.faultThrown.await(60, TimeUnit.SECONDS)).isTrue();
    }
}
