package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole SM on the devices that a capture shows. A user's capture that made trouble becomes another line here. */
@Timeout(120)
class CaptureReplayTest {
    private static final Path CAPTURES =
            Path.of("..", "mad-transport", "src", "test", "resources", "io", "torussm", "sim");

    @TempDir
    Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"cold-start.pcap.gz", "restart.pcap.gz"})
    void everyHostHasRoutes(String capture) throws Exception {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        ExitCode end = Main.run(
                new String[] {
                    "--once",
                    "--simulate",
                    CAPTURES.resolve(capture).toString(),
                    "-R",
                    "minhop",
                    "--on_credit_loop",
                    "warn",
                    "-Q",
                    "--state-dir",
                    dir.resolve("state").toString(),
                    "--dump_files_dir",
                    dir.resolve("dumps").toString(),
                    "--control-socket",
                    dir.resolve("sock").toString(),
                    "-f",
                    dir.resolve("log").toString()
                },
                SubnetManager::open,
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(errors, true, StandardCharsets.UTF_8));
        assertThat(errors.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(end).isEqualTo(ExitCode.OK);
        for (String host : new String[] {"host-0-0-0-0", "host-2-2-0-0"}) {
            assertThat(Files.readString(dir.resolve("dumps/opensm-lfts.dump")).split(host, -1))
                    .as("switches that forward to %s", host)
                    .hasSize(9 + 1);
        }
    }
}
