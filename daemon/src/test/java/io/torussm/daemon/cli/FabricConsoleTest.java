package io.torussm.daemon.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.IbSim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code torus-sm fabric} as a process: its console at standard input, and its scripts. */
@Tag("slow")
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FabricConsoleTest {
    private static final String CABLE = "\"S-0000000000200000\"[5]";

    @TempDir
    Path dir;

    @Test
    void followsTypedCommandsAndFiles() throws Exception {
        Files.writeString(dir.resolve("cut"), "Unlink " + CABLE + "\nVerbose 3\n");
        Files.writeString(dir.resolve("later.faults"), "1 h  Heal\n");
        IbSim.ProgramResult ended =
                run("!cut\nBroken\nnonsense\nComing\nTraffic\nQuit\n", "--script", "later.faults", "--traffic", "100");
        assertThat(ended.status()).as(ended.text()).isZero();
        assertThat(ended.text())
                .contains("Network simulator ready.")
                .contains("sim> simulator verbose level is 3")
                .contains("Unlink " + CABLE + " from \"S-0000000000200010\"[6], for ")
                .contains("# command 'nonsense' unknown")
                .contains(": Heal  (later.faults:1)")
                .contains("100 packets a second")
                .endsWith("Exiting network simulator.\n");
    }

    @Test
    void aScriptThatIsWrongIsNamedBeforeAnythingIsServed() throws Exception {
        Files.writeString(dir.resolve("bad.faults"), "10 s  Unlink " + CABLE + "\n10 s  Unlnk " + CABLE + "\n");
        IbSim.ProgramResult ended = run("", "--script", "bad.faults");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.text())
                .contains("bad.faults:2: command 'Unlnk' unknown")
                .doesNotContain("ready");
        assertThat(run("", "--script", "absent.faults").text()).contains("absent.faults is no file");
    }

    private IbSim.ProgramResult run(String input, String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(IbSim.java("io.torussm.daemon.cli.Main", "fabric"));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--listen",
                "unix:fabric-console-" + ProcessHandle.current().pid() + "-" + dir.getFileName(),
                "torus:1x1x3,mesh=z"));
        Process process = new ProcessBuilder(command)
                .directory(dir.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            process.getOutputStream().write(input.getBytes(UTF_8));
            process.getOutputStream().flush();
            String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return new IbSim.ProgramResult(text, process.waitFor());
        } finally {
            process.destroyForcibly();
        }
    }
}
