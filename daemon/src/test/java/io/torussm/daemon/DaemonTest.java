package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.AwaitedFile;
import io.torussm.transport.TransportException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The life cycle of the process of {@link DaemonCase}: its exit codes, its end, and the dumps. */
class DaemonTest extends DaemonCase {
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
}
