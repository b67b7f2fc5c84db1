package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.DescriptorLimit;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Halt;
import io.torussm.daemon.system.ServiceManager;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.AwaitedFile;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.PortNotReadyException;
import io.torussm.transport.TransportException;
import io.torussm.transport.datagram.DatagramReceiver;
import io.torussm.view.PublishedView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The life cycle of a daemon process: its start, its exit codes, its end, and the dumps. The service is a stub whose
 * sweep ends as a test says; the SM is a {@link FakeControl}, master of {@link Views#twoSwitches}.
 */
@Timeout(120)
class DaemonTest {
    @TempDir
    Path dir;

    private final PublishedView view = Views.twoSwitches();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<String> calls = new ArrayList<>();
    private final FakeControl control = new FakeControl();
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();
    private final Map<Setting<?>, String> more = new TreeMap<>();
    private final CompletableFuture<Boolean> open = new CompletableFuture<>();
    private Runnable onClose = () -> {};

    DaemonTest() {
        control.becomeMaster(5);
        control.view = view;
    }

    /** Also of what happened last: the program goes on when all else of the daemon has ended, and is waited for. */
    @Test
    void aProgramReceivesErrors() throws Exception {
        Path told = dir.resolve("told");
        Path begun = dir.resolve("begun");
        Path ending = dir.resolve("ending");
        assertThat(new ProcessBuilder("mkfifo", ending.toString()).start().waitFor())
                .isZero();
        Path program = Files.writeString(dir.resolve("program"), """
            #!/bin/sh
            echo "$TSM_CODE" >> %s
            read -r _ < %s
            echo "$TSM_CODE $TSM_CONDITION" >> %s
            """.formatted(begun, ending, told));
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        more.put(Settings.ALERT_PROGRAM, program.toString());
        onClose = () -> {
            try {
                AwaitedFile.read(begun, text -> !text.isEmpty());
                Files.writeString(ending, "go on\n");
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        Daemon daemon = daemon(
                (options, host) -> service(listener -> listener.accept(new SweepEvent.PortLost("pulled"))), false);
        assertThat(daemon.run()).isEqualTo(ExitCode.NO_PORT);
        assertThat(Files.readAllLines(told)).containsExactly(SmEvent.PORT_GONE.code() + " ");
    }

    @Test
    void endsOnceTheSubnetIsUpWithDumpsAndExplanations() throws Exception {
        assertThat(once(listener -> listener.accept(Views.up(view)), "host-0,host-1"))
                .isEqualTo(ExitCode.OK);
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("arrives at \"host-1\", after 2 switches");
        assertThat(dir.resolve("dumps/opensm-lfts.dump")).exists();
        assertThat(calls).containsExactly("start", "close");
    }

    @Test
    void saysByItsExitCodeHowItEnded() throws Exception {
        assertThat(once(listener -> listener.accept(new SweepEvent.RoutingRefused(List.of(Finding.error("no seed"))))))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(once(listener -> listener.accept(new SweepEvent.OtherMaster(null))))
                .isEqualTo(ExitCode.OTHER_MASTER);
        assertThat(once(listener -> listener.accept(new SweepEvent.SweepFailed("silence"))))
                .isEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(once(listener -> listener.accept(new SweepEvent.PortLost("unplugged"))))
                .isEqualTo(ExitCode.NO_PORT);
        assertThat(once(listener -> listener.accept(Views.up(view)), "host-0,absent"))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(daemon(
                                (options, host) -> {
                                    throw new TransportException("no device");
                                },
                                true)
                        .run())
                .isEqualTo(ExitCode.NO_PORT);
        assertThat(daemon(
                                (options, host) -> {
                                    throw new ConfigurationException(List.of("no such topology"));
                                },
                                true)
                        .run())
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    /** The log is in a file, and the one who starts the program looks at the terminal. */
    @Test
    void aStartThatFailsIsExplainedOnTheTerminalToo() throws Exception {
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
    void goesOnAfterRefusalsUntilItIsAskedToEnd() throws Exception {
        CompletableFuture<SubnetManagerService.Listener> started = new CompletableFuture<>();
        Daemon daemon = daemon((options, host) -> service(started::complete), false);
        CompletableFuture<ExitCode> end = CompletableFuture.supplyAsync(() -> {
            try {
                return daemon.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        SubnetManagerService.Listener listener = started.get(60, TimeUnit.SECONDS);
        listener.accept(new SweepEvent.RoutingRefused(List.of(Finding.error("no seed"))));
        for (int i = 0; i < 1000; i++) {
            listener.accept(Views.up(view));
        }
        open.get(60, TimeUnit.SECONDS);
        List<String> answer = new ArrayList<>();
        assertThat(ConsoleClient.execute(socket(), "status", 10_000, answer::add))
                .isTrue();
        assertThat(answer).contains("SM: MASTER, priority 5; subnet managers: 2");
        assertThat(ConsoleClient.execute(socket(), "sweep", 10_000, answer::add))
                .isTrue();
        assertThat(end).isNotDone();
        daemon.stop("the test");
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
        assertThat(control.requests).containsExactly("heavy");
        assertThat(calls).containsExactly("start", "close");
        assertThat(socket()).doesNotExist();
    }

    /** A defect of the thread of the process: it serves the next event. */
    @Test
    void survivesADefectInAnEvent() throws Exception {
        CompletableFuture<SubnetManagerService.Listener> started = new CompletableFuture<>();
        CompletableFuture<SubnetManagerService.Host> host = new CompletableFuture<>();
        Daemon daemon = daemon(
                (options, its) -> {
                    host.complete(its);
                    return service(started::complete);
                },
                false);
        CompletableFuture<ExitCode> end = running(daemon);
        SubnetManagerService.Listener listener = started.get(60, TimeUnit.SECONDS);
        control.hasDefect = true; // which every reader of the status meets
        listener.accept(new SweepEvent.PortChanged(false, "no link"));
        assertThat(host.join().writeDumps().get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(host.join().defects().count()).isEqualTo(1);
        daemon.stop("the test");
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }

    /** Whatever thread it is on, and however the virtual machine reports it. */
    @Test
    void haltsOnAnErrorOfTheVirtualMachine() throws Exception {
        CompletableFuture<SubnetManagerService.Listener> started = new CompletableFuture<>();
        Daemon daemon = daemon((options, host) -> service(started::complete), false);
        CompletableFuture<ExitCode> end = running(daemon);
        started.get(60, TimeUnit.SECONDS);
        Thread thread = new Thread(() -> {
            throw new OutOfMemoryError("provoked");
        });
        thread.start();
        assertThat(halted.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.HALTED.number());
        daemon.stop("the test");
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }

    @Test
    void haltsWhenTheEndThatWasAskedForHangs() throws Exception {
        CompletableFuture<SubnetManagerService.Listener> started = new CompletableFuture<>();
        CountDownLatch hanging = new CountDownLatch(1);
        onClose = () -> {
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        };
        Daemon daemon = daemon((options, host) -> service(started::complete), false);
        CompletableFuture<ExitCode> end = running(daemon);
        started.get(60, TimeUnit.SECONDS);
        daemon.terminate("SIGTERM");
        assertThat(halted.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.HALTED.number());
        assertThat(end).isNotDone();
        hanging.countDown();
        assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo(ExitCode.OK);
    }

    @Test
    void warnsOfTooFewDescriptors() {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            DescriptorLimit.check(1024);
            assertThat(log.of(SmEvent.FEW_DESCRIPTORS)).isEmpty();
            DescriptorLimit.check(64);
            assertThat(log.only(SmEvent.FEW_DESCRIPTORS).names("64")).isTrue();
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
    void waitsForAPortThatIsNotThereYetAndSaysSoOnce() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        try (DatagramReceiver systemd =
                new DatagramReceiver(dir.resolve("notify").toString())) {
            ServiceManager manager = ServiceManager.of(
                    Map.of("NOTIFY_SOCKET", dir.resolve("notify").toString()), 1);
            Daemon daemon = daemon(
                    (options, host) -> {
                        if (looks.incrementAndGet() < 3) {
                            throw new PortNotReadyException("no port has a link");
                        }
                        return service(listener -> listener.accept(new SweepEvent.PortLost("the end of this test")));
                    },
                    false,
                    manager);
            assertThat(daemon.run()).isEqualTo(ExitCode.NO_PORT);
            assertThat(looks).hasValue(3);
            assertThat(systemd.next()).containsExactly("READY=1", "STATUS=waiting for a port: no port has a link");
            assertThat(systemd.next()).containsExactly("WATCHDOG=1");
        }
    }

    @Test
    void endsWhileItWaitsForAPortWhenAsked() throws Exception {
        CompletableFuture<String> waiting = new CompletableFuture<>();
        AtomicInteger looks = new AtomicInteger();
        Daemon daemon = daemon(
                (options, host) -> {
                    if (looks.incrementAndGet() == 2) {
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

    /** However often groups change, and only the file that depends on them. */
    @Test
    void dumpsMulticastTablesWhenGroupsChange() throws Exception {
        Daemon daemon = daemon(
                (options, host) -> service(listener -> {
                    for (int i = 0; i < 1000; i++) {
                        listener.accept(new SweepEvent.MulticastProgrammed());
                    }
                    listener.accept(new SweepEvent.PortLost("unplugged"));
                }),
                false);
        assertThat(daemon.run()).isEqualTo(ExitCode.NO_PORT);
        assertThat(dir.resolve("dumps")).isDirectoryContaining("glob:**/opensm.mcfdbs");
        assertThat(dir.resolve("dumps/opensm-lfts.dump")).doesNotExist();
    }

    @Test
    void runsWithoutAConsoleIfItCannotHaveOne() throws Exception {
        java.nio.file.Files.writeString(socket(), "not a socket");
        assertThat(daemon(
                                (options, host) ->
                                        service(listener -> listener.accept(new SweepEvent.PortLost("unplugged"))),
                                false)
                        .run())
                .isEqualTo(ExitCode.NO_PORT);
        assertThat(socket()).hasContent("not a socket");
    }

    @Test
    void closesTheServiceEvenIfItsStartIsADefect() throws Exception {
        assertThat(once(listener -> {
                    throw new IllegalStateException("a defect made for this test");
                }))
                .isEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(calls).containsExactly("start", "close");
    }

    /** A service whose sweep ends as a test says. */
    private SubnetManagerService service(Consumer<SubnetManagerService.Listener> start) {
        return new SubnetManagerService() {
            @Override
            public void start(Listener listener) {
                calls.add("start");
                start.accept(listener);
            }

            @Override
            public void reconfigure(SmOptions options) {
                calls.add("reconfigure");
            }

            @Override
            public SmControl control() {
                return control;
            }

            @Override
            public void callPeriodically(long periodNs, Runnable beat) {
                beat.run();
                open.complete(true);
            }

            @Override
            public void close() {
                calls.add("close");
                onClose.run();
            }
        };
    }

    private Daemon daemon(SubnetManagerService.Factory services, boolean isOnce, String... explain)
            throws ConfigurationException {
        return daemon(services, isOnce, ServiceManager.of(Map.of(), 1), explain);
    }

    private Daemon daemon(
            SubnetManagerService.Factory services, boolean isOnce, ServiceManager manager, String... explain)
            throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        values.put(
                Settings.DUMP_FILES_DIR,
                new Configuration.CommandLineValue(
                        "--dump-dir", dir.resolve("dumps").toString()));
        values.put(
                Settings.CONTROL_SOCKET, new Configuration.CommandLineValue("--control-socket", socket().toString()));
        values.put(Settings.HTTP_LISTEN, new Configuration.CommandLineValue("--http-listen", "none"));
        more.forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue(setting.key(), value)));
        SmOptions options = Configuration.read(null, values);
        PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        return new Daemon(
                new Daemon.Setup(options, isOnce, List.of(explain), () -> options),
                services,
                out,
                manager,
                new Halt(halted::complete, 1));
    }

    private Path socket() {
        return dir.resolve("control.sock");
    }

    private ExitCode once(Consumer<SubnetManagerService.Listener> start, String... explain) throws Exception {
        return daemon((options, host) -> service(start), true, explain).run();
    }

    private static CompletableFuture<ExitCode> running(Daemon daemon) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return daemon.run();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }
}
