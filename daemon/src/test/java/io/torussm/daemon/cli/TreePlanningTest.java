package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.DrawnTopology;
import io.torussm.daemon.system.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tree on paper is judged by the chain of engines that the daemon has, with its options. */
class TreePlanningTest {
    private static final int LEAVES = 4;
    private static final int SPINES = 3;

    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private String tree = "";
    private String uneven = "";
    private String roots = "";

    @BeforeEach
    void draw() throws Exception {
        DrawnTopology drawn = new DrawnTopology();
        StringBuilder spines = new StringBuilder();
        for (int leaf = 0; leaf < LEAVES; leaf++) {
            drawn.host("h" + leaf + "a", "leaf" + leaf).host("h" + leaf + "b", "leaf" + leaf);
        }
        for (int spine = 0; spine < SPINES; spine++) {
            for (int leaf = 0; leaf < LEAVES; leaf++) {
                drawn.link("leaf" + leaf, "spine" + spine);
            }
            spines.append(Long.toHexString(DrawnTopology.SWITCH + LEAVES + spine))
                    .append('\n');
        }
        tree = Files.writeString(dir.resolve("tree.topo"), drawn.text()).toString();
        drawn.cut("leaf1", "spine0").cut("leaf2", "spine0");
        uneven = Files.writeString(dir.resolve("uneven.topo"), drawn.text()).toString();
        roots = Files.writeString(
                        dir.resolve("roots"), "0x" + spines.toString().strip().replace("\n", "\n0x"))
                .toString();
    }

    @Test
    void aTreeThatIsKnownWholeIsRoutedAfterAnyFailure() throws Exception {
        assertThat(run("plan", tree, "-R", "ftree"))
                .as(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("no single failure of 19 stops routing")
                .doesNotContain("root_guid_file", "DEGRADED");
        assertThat(run("what-if", tree, "-R", "ftree", "--fail", "leaf0:3")).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("free of credit loops").doesNotContain("DEGRADED", "refused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaf 1", "0x200010", "leaf-1"})
    void aSwitchHasTheSameNamesAsInARunningFabric(String name) throws Exception {
        assertThat(run("what-if", "tree:4,2", "--fail", name + "--spine 0")).isEqualTo(ExitCode.OK);
        assertThat(out()).startsWith("without link leaf-1 to spine-0:");
        assertThat(run("traffic", "tree:4,2", "-R", "ftree", "--shifts", "--fail", name))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("without\n  switch leaf-1\n");
    }

    @Test
    void aFailureIsRoutedByTheNextEngineOrTheLastResort() throws Exception {
        assertThat(run("what-if", uneven, "-R", "ftree", "--fail", "leaf0:3")).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("  DEGRADED: ", "; ftree: no even fat tree", "free of credit loops");
        assertThat(run("what-if", uneven, "-R", "ftree,updn", "--fail", "leaf0:3"))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("  routed by updn, the 2nd of 2: ftree refused: ftree: no even fat tree");
        assertThat(run("what-if", uneven, "-R", "ftree", "-a", roots, "--fail", "leaf0:3"))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).doesNotContain("DEGRADED", "refused");
        assertThat(run("what-if", uneven, "-R", "ftree", "--each", "link")).isEqualTo(ExitCode.OK);
        assertThat(out()).containsOnlyOnce("no even fat tree");
    }

    @Test
    void trafficTakesTheOptionsOfEngines() throws Exception {
        assertThat(run("traffic", tree, "-R", "ftree", "--root_guid_file", roots, "--load", "0.1", "--length", "50"))
                .isEqualTo(ExitCode.OK);
        assertThat(run("traffic", tree, "-R", "ftree", "--root_guid_file", "/no/such"))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    private ExitCode run(String... arguments) throws InterruptedException {
        out.reset();
        err.reset();
        return Main.run(arguments, stream(out), stream(err));
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
