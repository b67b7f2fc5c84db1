package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** A whole daemon with its console, whose subnet is up, until it is closed. */
final class RunningDaemon implements AutoCloseable {
    private static final int SILENCE_MS = 60_000;
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.torussm");

    private final Path socket;
    private final Daemon daemon;
    private final CompletableFuture<ExitCode> ended;

    /**
     * Starts one.
     *
     * @param dir for its state, its socket and its dumps (in {@code dumps})
     * @param more settings besides these
     */
    RunningDaemon(Path dir, Map<Setting<?>, String> more, SubnetManagerService.Factory services) throws Exception {
        LOGGER.setLevel(Level.INFO);
        socket = dir.resolve("control.sock");
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.CONTROL_SOCKET, socket.toString());
        settings.put(Settings.DUMP_FILES_DIR, dir.resolve("dumps").toString());
        SmOptions options = ServiceHarness.options(dir.resolve("state"), settings);
        CompletableFuture<Boolean> isOpen = new CompletableFuture<>();
        daemon = new Daemon(
                new Daemon.Setup(options, false, List.of(), () -> options),
                (wanted, host) -> telling(services.open(wanted, host), isOpen),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        ended = CompletableFuture.supplyAsync(this::run);
        assertThat(isOpen.get(60, TimeUnit.SECONDS)).isTrue();
    }

    private ExitCode run() {
        try {
            return daemon.run();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the service with a notification: when the daemon begins to watch it, the console is open. */
    private static SubnetManagerService telling(SubnetManagerService service, CompletableFuture<Boolean> isOpen) {
        return (SubnetManagerService) Proxy.newProxyInstance(
                RunningDaemon.class.getClassLoader(),
                new Class<?>[] {SubnetManagerService.class},
                (self, method, arguments) -> {
                    if (method.getName().equals("callPeriodically")) {
                        isOpen.complete(true);
                    }
                    return method.invoke(service, arguments);
                });
    }

    /** Waits until an event has text in its line, or in one before. */
    void awaitEvent(String text) throws Exception {
        try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
            List<String> seen = new ArrayList<>();
            client.execute("events 1000 --follow", SILENCE_MS, line -> {
                if (line.contains(text) && seen.isEmpty()) {
                    seen.add(line);
                    interrupt(client);
                }
            });
            assertThat(seen).hasSize(1);
        }
    }

    private static void interrupt(ConsoleClient client) {
        try {
            client.interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Sends a request to the console.
     *
     * @param lines receives the lines of the response
     * @return whether it was successful
     */
    boolean execute(String request, List<String> lines) throws IOException {
        return ConsoleClient.execute(socket, request, SILENCE_MS, lines::add);
    }

    /** Returns the lines of a successful answer. */
    List<String> execute(String request) throws IOException {
        List<String> lines = new ArrayList<>();
        assertThat(execute(request, lines)).as(request + ": " + lines).isTrue();
        return lines;
    }

    /** Ends the daemon as SIGTERM does. */
    @Override
    public void close() {
        LOGGER.setLevel(null);
        daemon.stop("the test is over");
        assertThat(ended.orTimeout(30, TimeUnit.SECONDS).join()).isEqualTo(ExitCode.OK);
    }
}
