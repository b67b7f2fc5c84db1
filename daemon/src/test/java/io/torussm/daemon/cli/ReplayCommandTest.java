package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.RecordingAnswer;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real SM with real threads is recorded, and the file is replayed by the command line. */
class ReplayCommandTest {
    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void showsTheDecisionsOfARecordedSmAgain() throws Exception {
        String file = record().toString();
        assertThat(run("replay", file)).as(err()).isEqualTo(ExitCode.OK);
        List<String> decisions = out();
        assertThat(decisions).anyMatch(line -> line.contains(" sweep up: sweep 1, torus-2QoS, 12 switches"));
        assertThat(err()).contains("from its start on");
        run("replay", file);
        assertThat(out()).isEqualTo(decisions);

        assertThat(run("replay", "--recorded", file)).isEqualTo(ExitCode.OK);
        assertThat(lastTables(out())).isEqualTo(lastTables(decisions)).contains("tables", "SLs");
        run("replay", "--compare", "recorded", file); // a machine that is overloaded makes a difference
        assertThat(err()).contains("decisions there");

        run("replay", "--from", "3", "--until", "5", file);
        assertThat(out()).isEqualTo(decisions.subList(2, 5));

        run("replay", "--json", file);
        Path decisionsBefore = Files.write(dir.resolve("before.json"), out.toByteArray());
        assertThat(run("replay", "--compare", decisionsBefore.toString(), file)).isEqualTo(ExitCode.OK);
        String changed = Files.readString(decisionsBefore).replaceFirst("12 switches", "11 switches");
        Files.writeString(decisionsBefore, changed);
        assertThat(run("replay", "--compare", decisionsBefore.toString(), file)).isEqualTo(ExitCode.CHECK_FAILED);
        assertThat(out()).hasSize(2);
        assertThat(out().get(0)).startsWith("-").contains("11 switches");
        assertThat(out().get(1)).startsWith("+").contains("12 switches");
    }

    /** A sparse file takes no space, and had filled the memory. */
    @Test
    void refusesDecisionsThatAreTooLong() throws Exception {
        String file = record().toString();
        Path invalid = Files.writeString(dir.resolve("decisions.json"), "[");
        try (FileChannel channel = FileChannel.open(invalid, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[1]), 1L << 31);
        }
        assertThat(run("replay", "--compare", invalid.toString(), file)).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(invalid + ": more than 67108864 bytes", "torus-sm replay --json");
    }

    @Test
    void namesFileAndRemedy() throws Exception {
        Path none = Files.writeString(dir.resolve("none"), "nothing that was recorded by a program");
        assertThat(run("replay", none.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(none.toString(), "torus-smctl record");
        assertThat(run("replay", "--until", "soon", none.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("--until", "12.5s");
        assertThat(run("replay", dir.resolve("missing").toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("missing");

        byte[] recorded = Files.readAllBytes(record());
        recorded[recorded.length / 2] ^= (byte) 0xff;
        recorded[recorded.length / 2 + 1] ^= (byte) 0xff;
        Path damaged = Files.write(dir.resolve("damaged"), recorded);
        assertThat(run("replay", damaged.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(damaged.toString(), "damaged", "again");
        assertThat(run("replay", dir.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("directory");
    }

    private ExitCode run(String... arguments) throws InterruptedException {
        out.reset();
        err.reset();
        return Main.run(arguments, ReplayCommandTest::noService, stream(out), stream(err));
    }

    private static SubnetManagerService noService(SmOptions options, SubnetManagerService.Host host) {
        throw new AssertionError("a daemon was started");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private List<String> out() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Path record() throws Exception {
        Path dumps = dir.resolve("dumps");
        try (ServiceHarness sm = new ServiceHarness(
                dir.resolve("state"),
                Map.of(Settings.SIMULATE, "torus:4x3x1,hosts=1", Settings.DUMP_FILES_DIR, dumps.toString()))) {
            assertThat(sm.end()).isEqualTo("up");
            sm.control().requestSweep(true);
            assertThat(sm.end()).isEqualTo("up");
            RecordingAnswer answer =
                    sm.control().writeRecording("night.pcap.gz").get(30, TimeUnit.SECONDS);
            assertThat(answer.problem()).isEmpty();
            assertThat(answer.isFromStart()).isTrue();
            assertThat(answer.mads()).isGreaterThan(500);
            assertThat(sm.control()
                            .writeRecording("night.pcap.gz")
                            .get(30, TimeUnit.SECONDS)
                            .problem())
                    .contains("there already");
        }
        Path file = dumps.resolve("night.pcap.gz");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        return file;
    }

    private static String lastTables(List<String> decisions) {
        String last = decisions.stream()
                .filter(line -> line.contains(" sweep up: "))
                .reduce((one, other) -> other)
                .orElse("");
        return last.substring(last.indexOf("tables ", last.indexOf("activated")));
    }
}
