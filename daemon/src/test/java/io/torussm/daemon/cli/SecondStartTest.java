package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import io.torussm.testing.IbSim;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program started twice on one state directory, as separate processes: the directory is locked by the first. */
@Tag("slow")
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SecondStartTest {
    @TempDir
    Path dir;

    @Test
    void aSecondProcessReportsTheFirstAndEnds() throws Exception {
        Process first = start();
        try (BufferedReader log = first.inputReader(UTF_8)) {
            awaitUp(log);
            Process second = start();
            String output = output(second);
            assertThat(second.waitFor()).as(output).isEqualTo(ExitCode.BAD_CONFIGURATION.number());
            assertThat(output.lines().filter(line -> line.contains("ERROR"))).hasSize(1);
            assertThat(output).contains(dir.toString(), "pid " + first.pid() + " on ", "--state-dir");
            assertThat(first.isAlive()).isTrue();
        } finally {
            first.destroyForcibly();
        }
    }

    @Test
    void aProcessStartsAfterTheDeathOfTheFirst() throws Exception {
        Process first = start();
        try (BufferedReader log = first.inputReader(UTF_8)) {
            awaitUp(log);
        } finally {
            first.destroyForcibly().onExit().join();
        }
        Process second = start("--once");
        assertThat(output(second)).contains("SUBNET UP");
        assertThat(second.waitFor()).isEqualTo(ExitCode.OK.number());
    }

    /** Returns all output of a process, after its end. */
    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    private Process start(String... more) throws IOException {
        List<String> command = IbSim.java(
                "io.torussm.daemon.cli.Main",
                "--simulate",
                "torus:3x3x1",
                "-R",
                "updn",
                "--control-socket",
                "",
                "--state-dir",
                dir.toString());
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void awaitUp(BufferedReader log) throws IOException {
        String line = log.readLine();
        while (line != null && !line.contains("SUBNET UP")) {
            line = log.readLine();
        }
        assertThat(line).as("the subnet is up").isNotNull();
    }
}
