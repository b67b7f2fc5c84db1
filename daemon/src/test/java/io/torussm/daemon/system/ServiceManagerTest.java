package io.torussm.daemon.system;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.transport.datagram.DatagramReceiver;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The messages to a service manager, such as systemd, on a real socket: sd_notify with READY, STATUS, WATCHDOG,
 * RELOADING and STOPPING.
 */
class ServiceManagerTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path dir;

    /** NOTIFY_SOCKET, and the service manager that receives at it. */
    private String name;

    private DatagramReceiver receiver;

    @BeforeEach
    void bind() throws IOException {
        name = dir.resolve("notify").toString();
        receiver = new DatagramReceiver(name);
    }

    @AfterEach
    void unbind() {
        receiver.close();
    }

    @Test
    void theStatusNamesTheStateOfThePortAndTheLastSweep() throws Exception {
        ServiceManager manager = manager();
        manager.sweepEnded("sweep failed", "MASTER");
        assertThat(receiver.next()).containsExactly("READY=1", "STATUS=MASTER; sweep failed");
        manager.portChanged("mlx5_0 port 1 has no link", "MASTER");
        assertThat(receiver.next())
                .containsExactly("READY=1", "STATUS=MASTER; mlx5_0 port 1 has no link; sweep failed");
        manager.sweepEnded("", "MASTER");
        assertThat(receiver.next()).containsExactly("READY=1", "STATUS=MASTER; mlx5_0 port 1 has no link");
        manager.portChanged("", "MASTER");
        assertThat(receiver.next()).containsExactly("READY=1", "STATUS=MASTER");
    }

    @Test
    void theServiceIsReadyWhenTheFirstSweepHasEnded() throws Exception {
        ServiceManager manager = manager();
        manager.ping(() -> "DISCOVERING");
        assertThat(receiver.next()).containsExactly("WATCHDOG=1", "STATUS=DISCOVERING");
        manager.sweepEnded("routing refused:\nno seed", "MASTER");
        assertThat(receiver.next()).containsExactly("READY=1", "STATUS=MASTER; routing refused: no seed");
    }

    @Test
    void aBeatRepeatsNoKnownStatus() throws Exception {
        ServiceManager manager = manager();
        manager.sweepEnded("", "MASTER");
        assertThat(receiver.next()).containsExactly("READY=1", "STATUS=MASTER");
        manager.ping(() -> "MASTER");
        assertThat(receiver.next()).containsExactly("WATCHDOG=1");
    }

    @Test
    void aReloadIsReportedFromItsBeginToItsEnd() throws Exception {
        ServiceManager manager = manager();
        manager.reloading();
        assertThat(receiver.next())
                .hasSize(2)
                .contains("RELOADING=1")
                .anyMatch(line -> line.matches("MONOTONIC_USEC=\\d+"));
        manager.reloaded();
        assertThat(receiver.next()).containsExactly("READY=1");
    }

    @Test
    void theEndOfTheServiceIsReported() throws Exception {
        ServiceManager manager = manager();
        manager.stopping();
        assertThat(receiver.next()).contains("STOPPING=1");
    }

    @Test
    void beatsComeThreeTimesWithinTheTimeoutOfTheWatchdog() {
        assertThat(manager("WATCHDOG_USEC", "60000000").pingIntervalNs()).isEqualTo(TimeUnit.SECONDS.toNanos(20));
        assertThat(manager("WATCHDOG_USEC", "3000000", "WATCHDOG_PID", Long.toString(PID))
                        .pingIntervalNs())
                .isEqualTo(TimeUnit.SECONDS.toNanos(1));
    }

    @Test
    void beatsWithoutAWatchdogOfThisProcessUpdateTheStatusEvery10S() {
        assertThat(manager("WATCHDOG_USEC", "3000000", "WATCHDOG_PID", Long.toString(PID + 1))
                        .pingIntervalNs())
                .as("the watchdog of another process")
                .isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(manager("WATCHDOG_USEC", "-1").pingIntervalNs())
                .as("no time")
                .isEqualTo(TimeUnit.SECONDS.toNanos(10));
    }

    @Test
    void aMissingListenerOrAnInvalidAddressIsReportedOnce() {
        assertThat(countWarnings(Map.of("NOTIFY_SOCKET", dir.resolve("absent").toString())))
                .isEqualTo(1);
        assertThat(countWarnings(Map.of("NOTIFY_SOCKET", "nonsense"))).isEqualTo(1);
    }

    @Test
    void aProcessWithoutAServiceManagerHasNoWarning() {
        assertThat(countWarnings(Map.of())).isZero();
    }

    @Test
    void aLostMessageIsSentAgainWithTheNextBeat() throws Exception {
        String late = dir.resolve("late").toString();
        ServiceManager manager = ServiceManager.of(Map.of("NOTIFY_SOCKET", late), PID);
        manager.sweepEnded("", "MASTER");
        try (DatagramReceiver listener = new DatagramReceiver(late)) {
            manager.ping(() -> "MASTER");
            assertThat(listener.next()).containsExactly("WATCHDOG=1", "READY=1", "STATUS=MASTER");
        }
    }

    /** A whole daemon with a real subnet manager on an embedded fabric; its loop feeds the watchdog. */
    @Test
    void theServiceManagerReceivesTheLifeOfADaemon() throws Exception {
        assertRunsWith("false", "STATUS=MASTER, priority 0, subnet up.*");
    }

    /** It never sweeps before, but serves its console. */
    @Test
    void aDaemonThatWaitsForAMasterIsReadyImmediately() throws Exception {
        assertRunsWith("true", ".*; waits until a master calls it");
    }

    /** Returns the connection to the service manager, with more variables: names and values in turn. */
    private ServiceManager manager(String... variables) {
        Map<String, String> environment = new HashMap<>(Map.of("NOTIFY_SOCKET", name));
        for (int i = 0; i < variables.length; i += 2) {
            environment.put(variables[i], variables[i + 1]);
        }
        return ServiceManager.of(environment, PID);
    }

    /** Returns the number of warnings in the life of a service. */
    private static int countWarnings(Map<String, String> environment) {
        Logger logger = (Logger) LoggerFactory.getLogger(ServiceManager.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
        log.start();
        try {
            ServiceManager manager = ServiceManager.of(environment, PID);
            manager.sweepEnded("", "MASTER");
            manager.ping(() -> "MASTER");
            manager.stopping();
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
        return log.list.size();
    }

    /**
     * Runs a daemon, and asserts the messages of its life.
     *
     * @param inactive value of the setting {@code sm_inactive}
     * @param status pattern of the line with the status when it is ready
     */
    private void assertRunsWith(String inactive, String status) throws Exception {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        Map.of(
                        Settings.SIMULATE, "torus:5x5x1",
                        Settings.QOS, "true",
                        Settings.SM_INACTIVE, inactive,
                        Settings.STATE_DIR, dir.resolve("state").toString(),
                        Settings.CONTROL_SOCKET, "")
                .forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue("test", value)));
        SmOptions options = Configuration.read(null, values);
        Daemon daemon = new Daemon(
                new Daemon.Setup(options, false, List.of(), () -> options),
                SubnetManager::open,
                new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8),
                manager("WATCHDOG_USEC", "30000"),
                new Halt(code -> {}, TimeUnit.HOURS.toMillis(1)));
        CompletableFuture<ExitCode> end = CompletableFuture.supplyAsync(() -> {
            try {
                return daemon.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(receiver.nextWith("READY=1")).anyMatch(line -> line.matches(status));
        receiver.nextWith("WATCHDOG=1");
        receiver.nextWith("WATCHDOG=1");
        daemon.stop("the test");
        receiver.nextWith("STOPPING=1");
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }
}
