package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.shadow.ManagedFabric;
import io.torussm.daemon.shadow.service.ShadowService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.multicast.MulticastView;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The study of a fabric of another master: {@code torus-sm shadow} on snapshots, dumps and captures, and
 * {@code torus-sm --shadow --once} on a fabric.
 */
@Timeout(120)
class ShadowCommandTest {
    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final Path CAPTURES =
            Path.of("..", "mad-transport", "src", "test", "resources", "io", "torussm", "sim");

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    /** Writes a snapshot of a torus that is routed by torus-2QoS, and returns its path. */
    private String snapshot() throws Exception {
        return new ManagedFabric(dir, TORUS, Map.of()).file(dir.resolve("a.gz")).toString();
    }

    @Test
    void theStudyOfASnapshotIsPrintedAndWrittenAsAPage() throws Exception {
        String file = snapshot();
        Path page = dir.resolve("page.html");
        assertThat(run("shadow", file, "--torus_config", conf(), "--html", page.toString()))
                .as(out())
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("a takeover would change in tables: nothing", "unreachable: 0 of 132");
        assertThat(Files.readString(page)).contains("free of credit loops", "</html>");
    }

    @Test
    void theStudyOfASnapshotIsPrintedAsJson() throws Exception {
        assertThat(run("shadow", snapshot(), "--torus_config", conf(), "--json"))
                .isEqualTo(ExitCode.OK);
        JsonNode json = new ObjectMapper().readTree(out.toByteArray());
        assertThat(json.at("/proof/lost").asInt()).isZero();
        assertThat(json.at("/takeover/engine").asText()).isEqualTo("torus-2QoS");
    }

    @Test
    void theStudyOfTwoSnapshotsReportsTheFaultsBetweenThem() throws Exception {
        ManagedFabric managed = new ManagedFabric(dir, TORUS, Map.of());
        String before = managed.file(dir.resolve("a.gz")).toString();
        managed.fabric.unlink(managed.node("sw-1-1-0").nodeGuid(), 1);
        managed.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        String after = managed.file(dir.resolve("b.gz")).toString();
        assertThat(run("shadow", "--torus_config", conf(), before, after))
                .as(out())
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("faults seen:", "down: ", "this SM: whole again within");
    }

    @Test
    void theStudyOfDumpsVerifiesTheirTables() throws Exception {
        ManagedFabric managed = new ManagedFabric(dir, TORUS, Map.of());
        Path dumps = Files.createDirectories(dir.resolve("dumps"));
        Dumps.write(Objects.requireNonNull(managed.sm.view()), MulticastView.EMPTY, dumps);
        ExitCode end = run("shadow", "--torus_config", conf(), dumps.toString(), "--json");
        JsonNode json = new ObjectMapper().readTree(out.toByteArray());
        assertThat(json.at("/proof/lost").asInt()).isZero();
        assertThat(json.at("/proof/verdicts")).hasSize(4).allMatch(verdict -> verdict.at("/loop")
                .isEmpty());
        assertThat(json.at("/takeover/changes"))
                .as("what is not dumped does not differ")
                .isEmpty();
        assertThat(end).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cold-start.pcap.gz", "restart.pcap.gz"})
    void theStudyOfACaptureReportsTheSizeOfItsFabric(String capture) throws Exception {
        ExitCode end = run("shadow", "-R", "dfsssp", CAPTURES.resolve(capture).toString());
        assertThat(end).as(out()).isIn(ExitCode.OK, ExitCode.CHECK_FAILED);
        assertThat(out()).contains("9 switches, 9 hosts, 27 cables");
    }

    /** Runs a shadow once on the fabric of a snapshot, without limits of its pace. */
    private ExitCode runOnce(String snapshot, String torusConfig) throws Exception {
        Path quick =
                Files.writeString(dir.resolve("quick.conf"), "shadow_smps_per_second = 100000\nshadow_paths = 0\n");
        return run(
                "-F",
                quick.toString(),
                "--shadow",
                "--once",
                "-Q",
                "--simulate",
                snapshot,
                "--torus_config",
                torusConfig,
                "--log_level",
                "error",
                "--control-socket",
                dir.resolve("sock").toString());
    }

    @Test
    void aShadowThatRunsOncePrintsItsStudy() throws Exception {
        assertThat(runOnce(snapshot(), conf())).as(out()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("a takeover would change in tables: nothing", "no subnet manager answers");
    }

    @Test
    void aShadowThatRunsOnceWithABadTorusConfigurationFails() throws Exception {
        String file = snapshot();
        Path withoutSeed = Files.writeString(dir.resolve("other.conf"), "torus 5 5 1\n");
        assertThat(runOnce(file, withoutSeed.toString())).as(out()).isNotEqualTo(ExitCode.OK);
    }

    @Test
    void aFileThatIsNoRecordIsNamed() throws Exception {
        Path text = Files.writeString(dir.resolve("text"), "no record\n");
        assertThat(run("shadow", text.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(out()).contains(text + " is neither a snapshot nor a capture; give");
    }

    @Test
    void anAbsentFileOrAnEmptyDirectoryIsNamed() throws Exception {
        assertThat(run("shadow", dir.resolve("none").toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(out()).contains("does not exist");
        Path empty = Files.createDirectories(dir.resolve("empty"));
        assertThat(run("shadow", empty.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(out()).contains("has no file of links");
    }

    private ExitCode run(String... arguments) throws Exception {
        out.reset();
        err.reset();
        return Main.run(
                arguments,
                ShadowService::open,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    private String conf() {
        return dir.resolve("torus-2QoS.conf").toString();
    }
}
