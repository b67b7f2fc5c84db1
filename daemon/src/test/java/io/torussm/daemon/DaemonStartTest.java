package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.system.DescriptorLimit;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.ServiceManager;
import io.torussm.event.SmEvent;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.TransportException;
import io.torussm.transport.datagram.DatagramReceiver;
import io.torussm.transport.umad.PortNotReadyException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The start of the process of {@link DaemonCase}: waits for a port, and starts that fail. */
class DaemonStartTest extends DaemonCase {
    /** The log is in a file, but the person who starts the program attempts at the terminal. */
    @Test
    void aStartThatFailsIsReportedOnTheTerminalAsWell() throws Exception {
        SmOptions options = Configuration.read(
                null,
                Map.of(
                        Settings.LOG_FILE,
                        new Configuration.CommandLineValue(
                                "--log_file", dir.resolve("log").toString())));
        ByteArrayOutputStream terminal = new ByteArrayOutputStream();
        Daemon daemon = new Daemon(
                new Daemon.Setup(options, true, List.of(), () -> options),
                (of, host) -> {
                    throw new TransportException("another SM has the port");
                },
                new PrintStream(printed, true, StandardCharsets.UTF_8),
                new PrintStream(terminal, true, StandardCharsets.UTF_8));
        assertThat(daemon.run()).isEqualTo(ExitCode.NO_PORT);
        assertThat(terminal.toString(StandardCharsets.UTF_8))
                .isEqualTo("torus-sm: " + SmEvent.PORT_UNAVAILABLE.code() + " another SM has the port\n");
    }

    @Test
    void aLowLimitOfDescriptorsIsReported() {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            DescriptorLimit.check(64);
            assertThat(log.only(SmEvent.FEW_DESCRIPTORS).names("64")).isTrue();
        }
    }

    @Test
    void theDefaultLimitOfDescriptorsIsSufficient() {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            DescriptorLimit.check(1024);
            assertThat(log.of(SmEvent.FEW_DESCRIPTORS)).isEmpty();
        }
    }

    /** If a driver or an address does not respond, the last line of the log names it. */
    @Test
    void eachPartThatMayBlockIsNamedBeforeItIsOpened() throws Exception {
        more.put(Settings.CA, "mlx5_0");
        more.put(Settings.HTTP_LISTEN, "127.0.0.1:0");
        try (LoggedEvents log = new LoggedEvents().listen()) {
            List<LoggedEvents.LoggedEvent> beforeThePort = new ArrayList<>();
            Daemon daemon = daemon(
                    (options, host) -> {
                        beforeThePort.addAll(log.of(SmEvent.OPENING));
                        return service(listener -> listener.accept(new SweepEvent.PortLost("the end of this test")));
                    },
                    false);
            assertThat(daemon.run()).isEqualTo(ExitCode.NO_PORT);
            assertThat(beforeThePort).singleElement().matches(opening -> opening.names("mlx5_0"));
            assertThat(log.of(SmEvent.OPENING)).hasSize(3);
            assertThat(log.of(SmEvent.OPENING).get(1).names("control_socket " + socket()))
                    .isTrue();
            assertThat(log.of(SmEvent.OPENING).get(2).names("http_listen 127.0.0.1:0"))
                    .isTrue();
        }
    }

    @Test
    void aDaemonWaitsForAnAbsentPortAndReportsThatOnce() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (DatagramReceiver systemd =
                new DatagramReceiver(dir.resolve("notify").toString())) {
            ServiceManager manager = ServiceManager.of(
                    Map.of("NOTIFY_SOCKET", dir.resolve("notify").toString()), 1);
            Daemon daemon = daemon(
                    (options, host) -> {
                        if (attempts.incrementAndGet() < 3) {
                            throw new PortNotReadyException("no port has a link");
                        }
                        return service(listener -> listener.accept(new SweepEvent.PortLost("the end of this test")));
                    },
                    false,
                    manager);
            assertThat(daemon.run()).isEqualTo(ExitCode.NO_PORT);
            assertThat(attempts).hasValue(3);
            assertThat(systemd.next()).containsExactly("READY=1", "STATUS=waiting for a port: no port has a link");
            assertThat(systemd.next()).containsExactly("WATCHDOG=1");
        }
    }

    @Test
    void aDaemonThatWaitsForAPortAnswersItsConsoleAndEndsOnRequest() throws Exception {
        CompletableFuture<String> waiting = new CompletableFuture<>();
        AtomicInteger attempts = new AtomicInteger();
        Daemon daemon = daemon(
                (options, host) -> {
                    if (attempts.incrementAndGet() == 2) {
                        waiting.complete("");
                    }
                    throw new PortNotReadyException("no adapter");
                },
                false);
        CompletableFuture<ExitCode> end = running(daemon);
        waiting.get(60, TimeUnit.SECONDS);
        List<String> answer = new ArrayList<>();
        assertThat(ConsoleClient.execute(socket(), "status", 10_000, answer::add))
                .isTrue();
        assertThat(ConsoleClient.execute(socket(), "health", 10_000, answer::add))
                .isFalse();
        assertThat(answer)
                .containsExactly(
                        "state: waiting for a port: no adapter",
                        "torus-sm runs, but has no subnet yet; waiting for a port: no adapter");
        daemon.stop("the test");
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }

    @Test
    void aSingleSweepDoesNotWaitForAPort() throws Exception {
        assertThat(daemon(
                                (options, host) -> {
                                    throw new PortNotReadyException("no adapter");
                                },
                                true)
                        .run())
                .isEqualTo(ExitCode.NO_PORT);
    }

    @Test
    void aDaemonRunsWithoutAConsoleIfItsSocketCannotBeOpened() throws Exception {
        Files.writeString(socket(), "not a socket");
        assertThat(daemon(
                                (options, host) ->
                                        service(listener -> listener.accept(new SweepEvent.PortLost("unplugged"))),
                                false)
                        .run())
                .isEqualTo(ExitCode.NO_PORT);
        assertThat(socket()).hasContent("not a socket");
    }

    @Test
    void theServiceIsClosedIfItsStartThrows() throws Exception {
        assertThat(once(listener -> {
                    throw new IllegalStateException("a defect made for this test");
                }))
                .isEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(calls).containsExactly("start", "close");
    }
}
