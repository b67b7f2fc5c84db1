package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A start that waits for a part that does not respond: the last line of the log names the part. */
@Tag("interop")
@Timeout(120)
class BlockedStartTest {
    private static final String MAIN = "io.torussm.daemon.cli.Main";
    private static final String OPENING = "TSM-1132 opening ";

    /** Functions of libibumad that a start calls, or that are looked up before. */
    private static final List<String> FUNCTIONS = List.of(
            "init",
            "get_cas_names",
            "get_ca_portguids",
            "get_port",
            "release_port",
            "get_issm_path",
            "open_port",
            "close_port",
            "register",
            "register2",
            "unregister",
            "send",
            "recv");

    @TempDir
    Path dir;

    /** A driver that does not respond blocks the first function of the library. */
    @Test
    void theDeviceIsNamed() throws Exception {
        StringBuilder source = new StringBuilder("#include <unistd.h>\n");
        FUNCTIONS.forEach(name -> source.append("int umad_").append(name).append("(void) { for (;;) pause(); }\n"));
        Files.writeString(dir.resolve("hung.c"), source);
        run(dir, Programs.requireProgram("gcc"), "-shared", "-fPIC", "-o", "hung.so", "hung.c");
        List<String> command = new ArrayList<>(start("--ca", "mlx5_0"));
        command.add(1, "-Dtorussm.umad.library=" + dir.resolve("hung.so"));
        assertThat(lineOf(command, OPENING)).contains("mlx5_0");
    }

    /** A stopped process of the fabric reads no request. */
    @Test
    void theFabricIsNamed() throws Exception {
        String address = "unix:blocked-start-" + ProcessHandle.current().pid();
        Process fabric = new ProcessBuilder(IbSim.java(MAIN, "fabric", "torus:2x2", "--listen", address))
                .redirectErrorStream(true)
                .start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(fabric.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            while (line != null && !line.contains(address)) {
                line = output.readLine();
            }
            assertThat(line).isNotNull();
            run(dir, "kill", "-STOP", Long.toString(fabric.pid()));
            assertThat(lineOf(start("--simulate", address), OPENING)).contains(address);
        } finally {
            fabric.destroyForcibly();
        }
    }

    /** A pipe in place of a state file is a server of files that does not respond. */
    @Test
    void theStateDirectoryIsNamed() throws Exception {
        Path state = Files.createDirectory(dir.resolve("state"));
        for (String file : List.of("guid2lid", "guid2lid.new")) {
            run(state, "mkfifo", file);
        }
        assertThat(lineOf(start("--simulate", "torus:2x2"), OPENING + "state_dir"))
                .contains(state.toString());
    }

    /** Runs a program until a line of its output has a text, and returns this line. */
    private static String lineOf(List<String> command, String text) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            List<String> logLines = new ArrayList<>();
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                logLines.add(line);
                if (line.contains(text)) {
                    assertThat(process.isAlive()).as("it waits").isTrue();
                    return line;
                }
            }
            throw new AssertionError("ended without " + text + ": " + logLines);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> start(String... options) {
        List<String> command = new ArrayList<>(
                List.of(MAIN, "--state-dir", dir.resolve("state").toString(), "--control-socket", "none"));
        command.addAll(List.of(options));
        return IbSim.java(command.toArray(String[]::new));
    }

    private static void run(Path in, String... command) throws Exception {
        Process process =
                new ProcessBuilder(command).directory(in.toFile()).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }
}
