package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.system.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A suggested torus-2QoS.conf, and warnings about the seeds of one. */
class SuggestConfCommandTest extends CommandHarness {
    @Test
    void suggestsAFileThatPlans() throws Exception {
        String topology = file("torus:5x4x3,links=2");
        Path conf = dir.resolve("torus-2QoS.conf");
        assertThat(run("suggest-conf", topology, "--output", conf.toString()))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(Files.readString(conf)).startsWith("torus 5 4 3\nportgroup_max_ports 16\n");
        assertThat(run("plan", "--quick", "--torus_config", conf.toString(), topology))
                .isEqualTo(ExitCode.OK);
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("seedsThatFailTogether")
    void warnsOfSeedsThatOneFailureTakesTogether(List<String> seeds, String sites, List<String> warnings)
            throws Exception {
        String topology = file("torus:6x5x1");
        String conf = Files.writeString(
                        dir.resolve("torus-2QoS.conf"), "torus 6 5 1\n" + String.join("next_seed\n", seeds))
                .toString();
        Path map = Files.writeString(dir.resolve("site-map"), sites);
        String config = Files.writeString(dir.resolve("sm.conf"), "site_map = \"" + map + "\"\n")
                .toString();
        assertThat(run("plan", "-c", config, "--quick", "--json", "--torus_config", conf, topology))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(json().get("seeds")).hasSameSizeAs(warnings);
        String printed = err();
        assertThat(printed.lines()).hasSameSizeAs(warnings);
        for (int i = 0; i < warnings.size(); i++) {
            assertThat(json().get("seeds").get(i).asText()).startsWith(conf + ": " + warnings.get(i));
            assertThat(printed).contains("torus-sm: warning: " + conf + ": " + warnings.get(i));
        }
        err.reset();
        assertThat(run("what-if", "-c", config, "--torus_config", conf, topology, "--fail", "sw-4-4-0"))
                .isEqualTo(ExitCode.OK);
        assertThat(err()).isEqualTo(printed);
    }

    @Test
    void overwritesNoFile() throws Exception {
        Path conf = Files.writeString(dir.resolve("torus-2QoS.conf"), "mine");
        assertThat(run("suggest-conf", "torus:5x4x3", "--output", conf.toString()))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(conf).hasContent("mine");
    }

    @Test
    void refusesToSuggestForOtherFabricsThanATorus() throws Exception {
        StringBuilder star = new StringBuilder("Switch 36 \"S-0\"\n");
        for (int leaf = 1; leaf <= 9; leaf++) {
            star.append("[").append(leaf).append("] \"S-").append(leaf).append("\"[1]\n");
        }
        for (int leaf = 1; leaf <= 9; leaf++) {
            star.append("Switch 36 \"S-")
                    .append(leaf)
                    .append("\"\n[1] \"S-0\"[")
                    .append(leaf)
                    .append("]\n");
        }
        String file = Files.writeString(dir.resolve("star.topo"), star).toString();
        assertThat(run("suggest-conf", file)).isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(err()).startsWith("torus-sm: no torus: the ");
        assertThat(out()).isEmpty();
        err.reset();
        assertThat(run("plan", "-R", "torus-2QoS,no_fallback", file)).isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(err()).contains("no --torus_config was given, and none can be suggested: ");
        err.reset();
        assertThat(run("plan", "-R", "torus-2QoS", file)).isEqualTo(ExitCode.OK);
        assertThat(err()).contains("routed by minhop, the default engine: torus-2QoS refused: ");
    }

    /** Returns a seed of a torus with 6x5 switches: the switch at (x,y) and its neighbours in +x and +y. */
    private static String seed(int x, int y) {
        long at = 0x200000L + 0x10L * (5 * x + y);
        long nextX = 0x200000L + 0x10L * (5 * ((x + 1) % 6) + y);
        long nextY = 0x200000L + 0x10L * (5 * x + (y + 1) % 5);
        return String.format(
                "xp_link 0x%x 0x%x%nyp_link 0x%x 0x%x%nx_dateline %d%ny_dateline %d%n", at, nextX, at, nextY, -x, -y);
    }

    private static Stream<Arguments> seedsThatFailTogether() {
        String cutX = "a cut across x leaves half of the torus without a seed: all switches of seeds have x = ";
        String cutY = "a cut across y leaves half of the torus without a seed: all switches of seeds have y = ";
        return Stream.of(
                Arguments.of(
                        List.of(seed(0, 0)),
                        "",
                        List.of(
                                "the loss of one switch leaves no seed: the only seed that is whole needs (0,0,0) 0x0000000000200000 \"sw-0-0-0\""
                                        + " and (0,1,0) 0x0000000000200010 \"sw-0-1-0\" and (1,0,0) 0x0000000000200050 \"sw-1-0-0\"; add a seed (next_seed) without them",
                                cutX
                                        + "0 to 2; add a seed (next_seed) in the other half, such as one at (4,0,0) 0x0000000000200140 \"sw-4-0-0\"",
                                cutY
                                        + "0 to 1; add a seed (next_seed) in the other half, such as one at (0,3,0) 0x0000000000200030 \"sw-0-3-0\"")),
                Arguments.of(
                        List.of(seed(5, 0), seed(5, 2), seed(0, 2)),
                        "",
                        List.of(
                                cutX
                                        + "5 to 1; add a seed (next_seed) in the other half, such as one at (3,0,0) 0x00000000002000f0 \"sw-3-0-0\"")),
                Arguments.of(
                        List.of(seed(0, 0), seed(3, 0)),
                        "",
                        List.of(
                                cutY
                                        + "0 to 1; add a seed (next_seed) in the other half, such as one at (0,3,0) 0x0000000000200030 \"sw-0-3-0\"")),
                Arguments.of(List.of(seed(2, 2), seed(3, 2), seed(2, 3)), "", List.of(cutX + "2 to 4")),
                Arguments.of(
                        List.of(seed(0, 0), seed(3, 2)),
                        "place 1,0,0 rack=R1\nplace 3,3,0 rack=R1\nplace 3,2,0 rack=R2\n",
                        List.of("the loss of rack R1 leaves no seed: all 2 seeds need a switch in it; add a seed"
                                + " (next_seed) without a switch in this rack")),
                Arguments.of(List.of(seed(0, 0), seed(3, 2)), "", List.of()));
    }
}
