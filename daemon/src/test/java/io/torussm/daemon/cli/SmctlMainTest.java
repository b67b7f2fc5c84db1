package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.Views;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.FakeControl;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program {@code torus-smctl}, with a daemon and without: options, exit codes, and completion for shells. */
@Timeout(120)
class SmctlMainTest {
    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private String socket = "";
    private String input = "";

    private @Nullable ConsoleServer server;

    @BeforeEach
    void open() throws IOException {
        control.view = Views.twoSwitches();
        socket = dir.resolve("control.sock").toString();
        server = ConsoleServer.open(new ConsoleServer.Settings(Path.of(socket), "", null), control);
    }

    @AfterEach
    void close() {
        Objects.requireNonNull(server).close();
    }

    @Test
    void exitCodesMatchTheManual() {
        assertThat(execute("version")).isZero();
        assertThat(execute("path", "1", "absent")).isEqualTo(1);
        assertThat(execute("path", "1")).isEqualTo(2);
        assertThat(execute("frobnicate")).isEqualTo(2);
        assertThat(execute("help", "frobnicate")).isEqualTo(2);
        assertThat(execute("loglevel", "loud")).isEqualTo(2);
        assertThat(run("--socket", dir.resolve("none").toString(), "version")).isEqualTo(4);
        assertThat(run("--socket", dir.resolve("none").toString(), "help", "frobnicate"))
                .isEqualTo(2);
        assertThat(run("--frobnicate")).isEqualTo(2);
    }

    @Test
    void theWorstOfSeveralCommandsDecides() {
        input = "version\npath 1 absent\n";
        assertThat(execute()).isEqualTo(1);
        input = "path 1\npath 1 absent\n";
        assertThat(execute()).isEqualTo(2);
        input = "# nothing\n\nversion\nquit\npath 1\n";
        assertThat(execute()).isZero();
    }

    @Test
    void optionsStandInAnyOrder() {
        assertThat(run("--json", "--socket", socket, "version")).isZero();
        assertThat(output()).contains("\"version\" : ");
        assertThat(run("--socket=" + socket, "version", "--json")).isZero();
        assertThat(output()).contains("\"version\" : ");
    }

    @Test
    void aWrongOptionIsNamed() {
        for (List<String> faults : List.of(
                List.of("--socket"),
                List.of("--tcp", "nowhere", "status"),
                List.of("--tcp", "a:66000", "status"),
                List.of("--json"))) {
            assertThat(run(faults.toArray(String[]::new))).as("%s", faults).isEqualTo(2);
            assertThat(err.toString(StandardCharsets.UTF_8))
                    .startsWith("torus-smctl: " + faults.get(0))
                    .contains("usage: ");
        }
        assertThat(ClientOptions.of(List.of("--tcp", "[::1]:7", "status")).address())
                .isEqualTo(new InetSocketAddress("[::1]", 7));
    }

    @Test
    void completesForShells() {
        assertThat(run("--complete", "--socket", socket, "node", "host-")).isZero();
        assertThat(output()).contains("host-0\n", "host-1\n");
        assertThat(run("--complete", "--socket=" + socket, "--json", "export", "s"))
                .isZero();
        assertThat(output()).isEqualTo("slurm\n");
        String none = dir.resolve("none").toString();
        assertThat(run("--complete", "--socket", none, "sweep", "l")).isZero();
        assertThat(output()).as("without a daemon").isEqualTo("light\n");
        assertThat(run("--complete", "--socket", none, "node", "")).isZero();
        assertThat(output()).isEqualTo("--json\n");
    }

    @Test
    void repeatsWhatChangesNothing() throws IOException {
        control.version = "torus-sm again";
        assertThat(watch(3, 0, "version")).containsExactly("torus-sm again", "torus-sm again", "torus-sm again");
        assertThat(watch(2, 1, "port", "absent"))
                .as("what is not there now may be there soon")
                .hasSize(2);
        assertThat(watch(2, 0, "loglevel")).hasSize(2);
        assertThat(watch(9, 2, "path", "1")).as("usage").hasSize(1);
        for (List<String> refused : List.of(
                List.of("sweep"),
                List.of("loglevel", "debug"),
                List.of("partitions", "apply"),
                List.of("events", "--follow"))) {
            assertThat(watch(9, 2, refused.toArray(String[]::new)))
                    .as("%s", refused)
                    .hasSize(1);
        }
        assertThat(control.requests).isEmpty();
        assertThat(control.logLevel).isEqualTo("info");
    }

    @Test
    void theIntervalIsBounded() {
        assertThat(Watch.parse(List.of("watch", "-n", "3600", "port", "sw-a", "1")))
                .isEqualTo(new Watch.RepeatedCommand(List.of("port", "sw-a", "1"), 3600));
        assertThat(Watch.parse(List.of("watch", "port", "sw-a", "1")))
                .isEqualTo(new Watch.RepeatedCommand(List.of("port", "sw-a", "1"), 2));
        for (String bad : List.of("0", "-1", "3601", "x", "")) {
            assertThatThrownBy(() -> Watch.parse(List.of("watch", "-n", bad, "status")))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(execute("watch", "-n", "0", "version")).isEqualTo(2);
        assertThat(execute("watch")).isEqualTo(2);
    }

    /** The group of the socket, or of its directory while there is no socket. */
    @Test
    void namesTheGroupThatMayAsk() throws IOException {
        String group =
                Files.readAttributes(dir, PosixFileAttributes.class).group().getName();
        assertThat(run("--socket", dir.resolve("no.sock").toString(), "status")).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("is it running, and are you in the group " + group + "?");
        assertThat(run("--socket", "/nosuch/run/control.sock", "status")).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("are you in the group rdma?");
        assertThat(run("--tcp", "127.0.0.1:1", "status")).isNotZero();
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("is it running and listening there?");
    }

    private int run(String... arguments) {
        out.reset();
        err.reset();
        return SmctlMain.run(
                List.of(arguments),
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private int execute(String... words) {
        return run(Stream.concat(Stream.of("--socket", socket), Arrays.stream(words))
                .toArray(String[]::new));
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private List<String> watch(int times, int expected, String... words) throws IOException {
        List<String> lines = new ArrayList<>();
        int[] pauses = {0};
        try (ConsoleClient client = ConsoleClient.connect(UnixDomainSocketAddress.of(socket))) {
            Watch watch = new Watch(
                    client,
                    lines::add,
                    ms -> {
                        assertThat(ms).isEqualTo(7_000);
                        return ++pauses[0] < times;
                    },
                    false);
            assertThat(watch.repeat(new Watch.RepeatedCommand(List.of(words), 7)))
                    .isEqualTo(expected);
        }
        return lines;
    }
}
