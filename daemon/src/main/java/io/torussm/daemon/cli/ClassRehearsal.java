package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.log.LogProvider;
import io.torussm.daemon.log.LogSetup;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.transport.TransportException;
import io.torussm.transport.umad.RehearsedPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The rehearsal of a start, for the archive of classes that {@code torus-archive} makes. It loads the classes
 * of a subnet manager with console and web server that brings up an embedded torus, answers requests and
 * ends. It also loads the code for a real port, up to its opening, and for a port without an adapter.
 */
public final class ClassRehearsal {
    /** The GUID of no port: libibumad lists the existing ports, and none is opened. */
    private static final String NO_PORT = "0xfffffffffffffffe";

    private static final List<String> PAGES = List.of("/", "/metrics", "/api/status", "/api/torus");

    private static final long POLL_INTERVAL_MS = 20;
    private static final long MAX_WAIT_MS = 60_000;

    private ClassRehearsal() {}

    /**
     * Runs the rehearsal; exit code 0 if the torus came up and a MAD got its response, with or without
     * libibumad.
     *
     * @param arguments an empty directory for state and the control socket
     */
    public static void main(String[] arguments)
            throws InterruptedException, ConfigurationException, TransportException, IOException {
        LogProvider.install();
        String dir = arguments[0];
        boolean isUp = bringUp(
                "-Q",
                "--routing_engine",
                "torus-2QoS",
                "--simulate",
                "torus:4x3x3,hosts=1",
                "--state-dir",
                dir,
                "--control-socket",
                dir + "/control.sock",
                "--http-listen",
                "127.0.0.1:0");
        Path empty = Files.createFile(Path.of(dir, "empty.conf")); // not that of the SM of this machine
        Main.run(
                new String[] {"--once", "--config", empty.toString(), "--guid", NO_PORT, "--state-dir", dir},
                System.out,
                System.err);
        boolean isHeard = RehearsedPort.rehearse();
        System.exit((isUp && isHeard ? ExitCode.OK : ExitCode.INTERNAL_ERROR).number());
    }

    private static boolean bringUp(String... arguments) throws InterruptedException, ConfigurationException {
        CompletableFuture<SubnetManagerService> opened = new CompletableFuture<>();
        Daemon daemon = daemon(
                (options, host) -> {
                    SubnetManagerService service = SubnetManager.open(options, host);
                    opened.complete(service);
                    return service;
                },
                arguments);
        Thread end = new Thread(() -> endOnceUp(opened.join(), daemon), "rehearsal");
        end.setDaemon(true);
        end.start();
        return daemon.run() == ExitCode.OK && opened.join().control().view() != null;
    }

    private static Daemon daemon(SubnetManagerService.Factory services, String... given) throws ConfigurationException {
        String[] arguments = OptionGroups.canonical(given);
        TorusSmCommand.Request request =
                TorusSmCommand.request(TorusSmCommand.parse(TorusSmCommand.commandLine(List.of(arguments)), arguments));
        LogSetup.apply(request.parameters().options().log());
        return new Daemon(request.parameters(), services, System.out);
    }

    private static void endOnceUp(SubnetManagerService service, Daemon daemon) {
        try {
            for (long ms = 0; service.control().view() == null && ms < MAX_WAIT_MS; ms += POLL_INTERVAL_MS) {
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL_MS);
            }
            PAGES.forEach(page -> requestPage(service, page));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            daemon.stop("the rehearsal is over");
        }
    }

    /** Sends a request, because the first request loads the classes of its handler. */
    private static void requestPage(SubnetManagerService service, String page) {
        for (Journal.Entry event : service.control().journal().after(0)) {
            String address = event.fields().get(EventField.ADDRESS.key());
            if (address != null && event.code().equals(SmEvent.HTTP_LISTENING.code())) {
                try (InputStream answer =
                        URI.create("http://" + address + page).toURL().openStream()) {
                    answer.readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(
                            "the rehearsal asked for " + page, e); // an event, and no reason to have no archive
                }
            }
        }
    }
}
