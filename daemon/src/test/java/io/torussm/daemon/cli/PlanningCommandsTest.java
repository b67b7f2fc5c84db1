package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.DrawnTopology;
import io.torussm.daemon.ExitCode;
import io.torussm.daemon.SubnetManagerService;
import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.SmOptions;
import io.torussm.routing.Engine;
import io.torussm.routing.file.FileEngine;
import io.torussm.sim.TopologyText;
import io.torussm.sim.TorusSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanningCommandsTest {
    @TempDir
    Path dir;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private ExitCode run(String... arguments) throws InterruptedException {
        return Main.run(arguments, PlanningCommandsTest::noService, stream(out), stream(err));
    }

    private static SubnetManagerService noService(SmOptions options, SubnetManagerService.Host host) {
        throw new AssertionError("a daemon was started");
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private JsonNode json() throws Exception {
        return new ObjectMapper().readTree(out());
    }

    /** A torus as a file, without some nodes. */
    private String file(String spec, String... without) throws Exception {
        StringWriter text = new StringWriter();
        TopologyText.write(TorusSpec.parse(spec).topology(), text);
        String left = text.toString();
        for (String id : without) {
            left = Stream.of(left.split("\n\n", -1))
                    .filter(node -> !node.matches("(?s).*(Switch|Ca)\\s+\\d+ \"" + id + ".*"))
                    .map(node -> node.replaceAll("(?m)^\\[.*\"" + id + "\".*\n?", ""))
                    .collect(Collectors.joining("\n\n"));
        }
        return Files.writeString(dir.resolve("fabric.topo"), left).toString();
    }

    /** The 6x5 torus of the manual page without its switch T, at (3,2), and T's host. */
    private String withoutT() throws Exception {
        return file("torus:6x5x1", "S-0000000000200110", "H-0000000100001100");
    }

    @Test
    void plansATorus() throws Exception {
        assertThat(run("plan", "torus:6x5x1")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out().lines())
                .startsWith("30 switches, 30 host ports, 60 cables between switches")
                .contains(
                        "hops between switches: mean 2.79",
                        "  5                 60",
                        "  x                  60        15        22.5        30",
                        "  y                  60        18        18.0        18",
                        "SLs of the first QoS level, by pairs: {0=540, 1=114, 2=180, 3=36}",
                        "  x                5            0                   5                   5",
                        "no single failure of 90 stops routing",
                        "hosts that follow path records: free of credit loops",
                        "hosts that all use one SL: CREDIT LOOP with every SL",
                        "any host with any SL: CREDIT LOOP");
        assertThat(out()).contains("free of credit loops: ");
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"pair", "loop"})
    void plansACableWithoutASwitch(String shape) throws Exception {
        assertThat(run("plan", shape)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out().lines())
                .startsWith("0 switches, 2 host ports, 0 cables between switches")
                .contains("  0                  2", "SLs of the first QoS level, by pairs: {0=2}");
        out.reset();
        assertThat(run("what-if", shape, "--each", "all")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(run("plan", "--worst-case", "--quick", shape)).isNotEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(err()).contains("no path leads over a cable between switches");
        out.reset();
        Path map = dir.resolve("sl-map");
        assertThat(run("plan", "--quick", "--sl-map", map.toString(), shape))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(map).isNotEmptyFile();
        out.reset();
        assertThat(run("traffic", "--load", "0.5", "--json", shape)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(json().toString()).contains("\"hosts\":2");
    }

    /** Hops and loads of the recording in the golden table: mean 2.79, at most 5; loads at most 30. */
    @Test
    void countsTheSameInJson() throws Exception {
        assertThat(run("plan", "--quick", "--json", "torus:6x5x1,hosts=1")).isEqualTo(ExitCode.OK);
        JsonNode report = json().get("report");
        assertThat(report.get("pairs").asLong()).isEqualTo(30 * 29);
        assertThat(report.get("sls").get("pathRecords").asBoolean()).isTrue();
        assertThat(report.get("sls").get("safeSls")).isEmpty();
        assertThat(report.get("meanHops").asDouble()).isBetween(2.79, 2.80);
        assertThat(report.get("mostLoaded").get(0).get("paths").asInt()).isEqualTo(30);
        assertThat(json().get("spare")).isEmpty();
    }

    /** Four switches in a row send over the cable in the middle of a ring of eight, one of them half-way round. */
    @Test
    void findsTheWorstPermutation() throws Exception {
        assertThat(run("plan", "--quick", "--worst-case", "torus:8x8x1,hosts=1"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("worst permutation: 4.00 times the rate of a host, over (", "each of 1 LIDs");
        assertThat(run("plan", "--quick", "--worst-case", "torus:8x8x5,hosts=1"))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("--worst-case", "up to 256 ports of hosts, and there are 320");
    }

    @Test
    void worstPermutationDealsTrafficOutToAllLids() throws Exception {
        String multipath = Files.writeString(dir.resolve("sm.conf"), "torus-2QoS { multipath = sides }, lmc = 1\n")
                .toString();
        assertThat(run("plan", "--quick", "--worst-case", "--json", "--config", multipath, "torus:8x8x1,hosts=1"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        JsonNode worst = json().get("worstCase");
        assertThat(worst.get("load").asDouble()).isEqualTo(3.5);
        assertThat(worst.get("lids").asInt()).isEqualTo(2);
        assertThat(worst.get("pairs").size()).isGreaterThanOrEqualTo(4);
        assertThat(worst.get("allToAllMax").asDouble())
                .isEqualTo(worst.get("allToAllMean").asDouble());
    }

    /** The golden table has 2.06 hops on average for updn on a 4x4 torus with two hosts on each switch, at most 4. */
    @Test
    void comparesAllEngines() throws Exception {
        assertThat(run("plan", "--compare", "--json", "torus:4x4x1,hosts=2")).isEqualTo(ExitCode.OK);
        Map<String, JsonNode> rows = new HashMap<>();
        json().get("rows").forEach(row -> rows.put(row.get("engine").asText(), row));
        assertThat(rows.keySet())
                .as("the engine file has no routes without a file")
                .containsExactlyInAnyOrderElementsOf(Engines.ALL.stream()
                        .map(Engine::name)
                        .filter(name -> !name.equals(FileEngine.NAME))
                        .toList());
        for (String proved : List.of("torus-2QoS", "updn", "dnup", "lash", "auto")) {
            JsonNode row = Objects.requireNonNull(rows.get(proved), proved);
            assertThat(row.get("proof").asText()).as(proved).isEqualTo("ALL");
            assertThat(row.get("meanHops").asDouble()).as(proved).isBetween(2.06, 2.07);
            assertThat(row.get("meanLoad").asDouble()).as(proved).isEqualTo(32);
            assertThat(row.get("maxLoad").asInt()).as(proved).isGreaterThanOrEqualTo(32);
            assertThat(row.get("maxHops").asInt()).as(proved).isEqualTo(4);
            assertThat(row.get("lanes").asInt()).as(proved).isPositive();
        }
        assertThat(Objects.requireNonNull(rows.get("minhop")).get("proof").asText())
                .isEqualTo("NONE");
        JsonNode refused = Objects.requireNonNull(rows.get("ftree"));
        assertThat(refused.get("proof").asText()).isEqualTo("REFUSED");
        assertThat(refused.get("reason").asText()).isNotEmpty();
    }

    @Test
    void comparesEnginesInATable() throws Exception {
        assertThat(run("plan", "--compare", "torus:3x3x1,hosts=1")).isEqualTo(ExitCode.OK);
        assertThat(out().lines())
                .hasSize(Engines.ALL.size())
                .anyMatch(line -> line.matches("updn +all +1 .* 0-15 +free"))
                .anyMatch(line -> line.startsWith("ftree       refused: "));
    }

    @Test
    void writesAllSlsToAFile() throws Exception {
        Path map = dir.resolve("hosts.slmap");
        assertThat(run("plan", "--quick", "--sl-map", map.toString(), "torus:3x3x1"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(map).hasSize(32 + 4 * 19 + 9 * 5);
        assertThat(run("plan", "--quick", "--sl-map", dir.toString(), "torus:3x3x1"))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("option --sl-map: cannot write " + dir);
    }

    @Test
    void namesWhatADamagedTorusCannotLose() throws Exception {
        assertThat(run("plan", withoutT())).as(err()).isEqualTo(ExitCode.OK);
        assertThat(err()).contains("switch missing at (3,2,0)", "no --torus_config was given");
        assertThat(out())
                .contains(
                        "no single failure of 85 stops routing",
                        "the first engine refuses, and the rest is routed in another way:",
                        "failures, such as link (0,2,0) sw-0-2-0 port 1 to (1,2,0) sw-1-2-0 port 2: DEGRADED: ",
                        "the ring (*,2,0) is broken into 2 disjoint parts")
                .containsPattern("\n  x +5 +1 +4 +\\d\n")
                .containsPattern("\n  y +6 +1 +5 +\\d\n");
    }

    @Test
    void countsPathsBetweenSwitchesWhereThereAreNoHosts() throws Exception {
        assertThat(run("plan", "--quick", "--json", "torus:4x3x1,hosts=0"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(json().get("report").get("pairs").asLong()).isEqualTo(12 * 11);
    }

    @Test
    void plansAMeshOfWhichEveryLinkIsNeeded() throws Exception {
        assertThat(run("plan", "torus:3x3x1,mesh=xy")).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("no single failure of 21 stops routing").containsPattern("\n  x +3 +0 +0 +\\d\n");
    }

    @ParameterizedTest
    @CsvSource({
        "'2,2,0','switch (2,2,0) sw-2-2-0',58",
        "sw-2-2-0,'switch (2,2,0) sw-2-2-0',58",
        "0x2000c0,'switch (2,2,0) sw-2-2-0',58",
        "sw-2-2-0:1,'link (2,2,0) sw-2-2-0 port 1 to (3,2,0) sw-3-2-0 port 2',0",
        "'2,2,0--sw-3-2-0','link (2,2,0) sw-2-2-0 to (3,2,0) sw-3-2-0',0"
    })
    void saysWhatOneFailureDoes(String spec, String name, int lost) throws Exception {
        assertThat(run("what-if", "torus:6x5x1", "--fail", spec)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out())
                .startsWith("without " + name + ":\n  free of credit loops: ")
                .contains(" of 870 change, " + lost + " are lost with their ends\n")
                .contains("SLs: none changes\n")
                .contains("most loaded cable: 30 paths before, ");
    }

    /** By hand: over a cable in +x of a ring of 6 go the paths to the next two and those to the third that cross no dateline. */
    @Test
    void listsThePairsWhosePathChanges() throws Exception {
        assertThat(run("what-if", "torus:6x5x1", "--fail", "0,0,0--1,0,0", "--list"))
                .isEqualTo(ExitCode.OK);
        assertThat(out().lines().filter(line -> line.contains(" hops, then ")))
                .contains(
                        "host-0-0-0-0 to host-1-0-0-0: 1 hops, then 5", "host-5-0-0-0 to host-1-4-0-0: 3 hops, then 5")
                .hasSize(40);
        assertThat(out()).contains("paths: 40 of 870 change, 0 are lost");
    }

    @Test
    void refusesWhatNoPlanCanHelpIfThereIsToBeNoLastResort() throws Exception {
        assertThat(run("what-if", "torus:6x5x1", "--fail", "2,2,0:1", "--fail", "4,2,0:1"))
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("DEGRADED: ", "; the ring (*,2,0) is broken into 2 disjoint parts");
        out.reset();
        String engines = "torus-2QoS,no_fallback";
        assertThat(run("what-if", "torus:6x5x1", "-R", engines, "--fail", "2,2,0:1", "--fail", "4,2,0:1"))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(out()).contains("no routes: the ring (*,2,0) is broken into 2 disjoint parts");
    }

    @Test
    void theSwitchOfTheFirstHostMayFail() throws Exception {
        assertThat(run("what-if", "torus:5x5x1", "--fail", "0,0,0")).isEqualTo(ExitCode.OK);
        assertThat(out()).contains(" of 600 change, 48 are lost with their ends\n");
    }

    @Test
    void playsEverySingleFailure() throws Exception {
        assertThat(run("what-if", "torus:5x4x1", "--each", "all", "--every")).isEqualTo(ExitCode.OK);
        assertThat(out()).endsWith("60 failures, each by itself: 60 can be routed, 0 not; SLs change in 0\n");
        String all = out();
        out.reset();
        assertThat(run("what-if", "torus:5x4x1", "--each", "all")).isEqualTo(ExitCode.OK);
        assertThat(out())
                .startsWith(all)
                .matches("(?s).* 0\nof these \\d+ were played, the others are mirror images of them \\(\\d+ kinds;"
                        + " --every plays all\\)\n");
    }

    /** Two failures are like others of their kind: what is said of kinds is what playing every pair by itself says. */
    @Test
    void playsEveryTwoFailuresByKinds() throws Exception {
        assertThat(run("what-if", "torus:4x3x1", "-R", "torus-2QoS,no_fallback", "--pairs", "--json"))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        JsonNode report = json();
        long pairs = 36 * 35 / 2;
        assertThat(report.get("pairs").asLong()).isEqualTo(pairs);
        assertThat(report.get("played").asLong()).isLessThan(pairs);
        out.reset();
        assertThat(run("what-if", "torus:4x3x1", "-R", "torus-2QoS,no_fallback", "--pairs"))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(out())
                .contains(pairs + " pairs of failures in ", "link in x and link in x, apart by 1,0: the ring ");
    }

    @Test
    void everySingleFailureIsWhatItIsByItself() throws Exception {
        assertThat(run("what-if", "torus:4x4x3,hosts=2", "--each", "switch", "--json"))
                .isEqualTo(ExitCode.OK);
        JsonNode all = json();
        assertThat(all).hasSize(48);
        out.reset();
        assertThat(run("what-if", "torus:4x4x3,hosts=2", "--fail", "sw-1-2-1", "--json"))
                .isEqualTo(ExitCode.OK);
        ObjectNode one = (ObjectNode) json().get(0);
        assertThat(one.get("sls").get("pathRecords").asBoolean()).isTrue();
        assertThat(all).contains(one.putNull("sls"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "what-if torus:6x5x1|say what fails: --fail SPEC, or --each switch|link|all, or --pairs",
                "what-if torus:6x5x1 --each all --pairs|say what fails: --fail SPEC, or --each",
                "what-if torus:6x5x1 --pairs --every|option --every: goes with --each",
                "what-if torus:6x5x1,mesh=x --pairs|option --pairs: pairs are played by the symmetry of a torus",
                "what-if torus:6x5x1 --each cable|option --each: must be switch, link or all",
                "what-if torus:6x5x1 --fail sw-9|option --fail: no switch or link is called \"sw-9\"; write a switch",
                "what-if torus:6x5x1 --fail 0,0,0:9|option --fail: (0,0,0) sw-0-0-0 has ports 1 to 7, not \"9\"",
                "what-if torus:6x5x1 --fail 0,0,0:7|option --fail: (0,0,0) sw-0-0-0 port 7 has no cable to a switch",
                "what-if torus:6x5x1 --fail 0,0,0--2,0,0|option --fail: there is no cable from (0,0,0) sw-0-0-0 to"
                        + " (2,0,0) sw-2-0-0",
                "plan torus:6|cannot understand \"torus:6\"",
                "plan /no/such.topo|cannot read /no/such.topo (there is no such file); give a topology file",
                "cabling torus:6x5x1|option --torus: cannot understand \"\"",
                "cabling torus:6x5x1 --torus 6y5|option --torus: cannot understand \"6y5\"; write the switches"
            })
    void saysWhatIsWrongWithTheWords(String words, String problem) throws Exception {
        assertThat(run(words.split(" ", -1))).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(problem);
        assertThat(out()).isEmpty();
    }

    @Test
    void optionsMayStandBeforeTheWord() throws Exception {
        assertThat(run("--lmc", "1", "plan", "torus:4x4")).as(err()).isEqualTo(ExitCode.OK);
        String out = out();
        assertThat(run("plan", "--lmc", "1", "torus:4x4")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).startsWith(out);
    }

    @Test
    void namesFileAndLineOfABrokenTopology() throws Exception {
        Path cut = Files.writeString(dir.resolve("cut.topo"), "Switch 4 \"S-1\"\n[1] \"S-2\"[1]\n");
        assertThat(run("suggest-conf", cut.toString())).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err())
                .contains("torus-sm: TOPOLOGY: " + cut
                        + ":2: a cable to \"S-2\", which is not in the file; add that node");
    }

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

    /** A seed of a torus with 6x5 switches: the switch at (x,y) and its next in x and y. */
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
    void refusesToSuggestForWhatIsNoTorus() throws Exception {
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

    /** Whatever the engine, as the daemon does. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pair; 0 switches, 2 host ports; 2 destination LIDs; nothing between its ends",
                "loop; 0 switches, 2 host ports; 2 destination LIDs; nothing between its ends",
                "tree:4,1; 1 switches, 4 host ports; 5 destination LIDs; 1 of 1 single failures",
                "torus:1x1,hosts=1; 1 switches, 1 host ports; 2 destination LIDs; 1 of 1 single failures",
                "tree:leaves=1,spines=2,hosts=1; 3 switches, 1 host ports; 4 destination LIDs; of 5 single failures",
                "torus:2x1,hosts=0; 2 switches, 0 host ports; 2 destination LIDs; of 3 single failures"
            })
    void plansSmallShapesWithEachEngine(String spec, String size, String proved, String spare) throws Exception {
        assertThat(run("plan", spec)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains(size, proved, spare);
        for (Engine engine : Engines.ALL) {
            out.reset();
            if (!engine.name().equals("file")) {
                assertThat(run("plan", "--quick", "-R", engine.name(), spec))
                        .as(engine.name() + ": " + err())
                        .isEqualTo(ExitCode.OK);
                assertThat(out()).as(engine.name()).contains(size, proved);
            }
        }
        for (String each : List.of("switch", "link", "all")) {
            out.reset();
            run("what-if", "--each", each, spec);
            assertThat(out()).contains(" failures, each by itself: ");
        }
    }

    private String drawn(DrawnTopology topology) throws Exception {
        return Files.writeString(dir.resolve("drawn.topo"), topology.text()).toString();
    }

    /** As the daemon would, without the words that only tori have. */
    @Test
    void plansATreeWithoutBeingToldHow() throws Exception {
        String file = drawn(DrawnTopology.fatTree(3, 2));
        assertThat(run("plan", file)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(err()).contains("note: no engine was named, and this is no torus; taken is auto");
        assertThat(out().lines())
                .startsWith("16 switches, 12 host ports, 24 cables between switches")
                .contains("  cables     directions       min        mean       max", "tolerated losses")
                .anyMatch(line -> line.startsWith("  all                48 "))
                .endsWith("no single failure of 40 stops routing");
        assertThat(out()).doesNotContain("dimension", "rings");
        out.reset();
        assertThat(run("what-if", file, "--each", "switch")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("16 failures, each by itself: 16 can be routed, 0 not");
    }

    @ParameterizedTest
    @ValueSource(strings = {"dfsssp", "nue", "auto"})
    void playsFailuresOfAnIrregularFabric(String engine) throws Exception {
        String file = drawn(DrawnTopology.irregular(12));
        assertThat(run("plan", "--quick", "-R", engine, file)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(run("what-if", "-R", engine, file, "--fail", "sw-3--sw-4"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("without link sw-3 to sw-4:\n  free of credit loops: ", "most loaded cable: ");
    }

    @Test
    void namesTheCablesToMove() throws Exception {
        String file = file("torus:6x6x6");
        String text = Files.readString(Path.of(file))
                .replace("\"S-0000000000200240\"[2]", "\"@\"")
                .replace("\"S-0000000000200560\"[4]", "\"S-0000000000200240\"[2]")
                .replace("\"@\"", "\"S-0000000000200560\"[4]");
        // the other ends: port 2 of 200240 was (0,0,0) port 1, port 4 of 200560 was (2,1,2) port 3
        text = text.replace("\"S-0000000000200000\"[1]", "\"@\"")
                .replace("\"S-0000000000200500\"[3]", "\"S-0000000000200000\"[1]")
                .replace("\"@\"", "\"S-0000000000200500\"[3]");
        Files.writeString(Path.of(file), text);
        assertThat(run("cabling", file, "--torus", "6x6x6")).as(err()).isEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(out().lines().map(String::strip))
                .hasSize(7)
                .startsWith("2 cable ends to move; unplug all before you plug in any:")
                .anyMatch(line -> line.startsWith("from (0,0,0) ") && line.endsWith("port 1"))
                .anyMatch(line -> line.startsWith("to   (2,1,2) ") && line.endsWith("port 3"));
        out.reset();
        assertThat(run("cabling", file, "--torus", "6x6x6", "--json")).isEqualTo(ExitCode.INTERNAL_ERROR);
        assertThat(json().get("moves")).hasSize(2);
    }

    @Test
    void saysThatAllCablesAreWhereTheyBelong() throws Exception {
        assertThat(run("cabling", "torus:6x5x4,mesh=z", "--torus", "6x5x4m")).isEqualTo(ExitCode.OK);
        assertThat(out()).isEqualTo("every cable is where it belongs\n");
    }

    @Test
    void refusesToCompareWithATorusOfAnotherSize() throws Exception {
        assertThat(run("cabling", "torus:6x5x4", "--torus", "6x6x6")).isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(err()).contains("\"torus 6 6 6\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plan", "what-if", "suggest-conf", "cabling"})
    void hasHelp(String command) throws Exception {
        assertThat(run(command, "--help")).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("torus-sm " + command, "TOPOLOGY", "Exit codes: 0 ");
    }
}
