package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.torussm.daemon.DrawnTopology;
import io.torussm.daemon.config.Engines;
import io.torussm.daemon.system.ExitCode;
import io.torussm.routing.Engine;
import io.torussm.routing.file.FileEngine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands {@code plan}, {@code what-if} and {@code cabling} for fabrics on paper, as text and as JSON. */
class PlanningCommandsTest extends CommandHarness {
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
    void namesCablesThatADamagedTorusCannotLose() throws Exception {
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

    /**
     * By hand: over a cable in +x of a ring of 6 go the paths to the next two and those to the third that
     * cross no dateline.
     */
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
    void refusesAnUnroutableFabricWithoutTheLastResort() throws Exception {
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
        assertThat(out()).endsWith("60 failures, one at a time: 60 can be routed, 0 not; SLs change in 0\n");
        String all = out();
        out.reset();
        assertThat(run("what-if", "torus:5x4x1", "--each", "all")).isEqualTo(ExitCode.OK);
        assertThat(out())
                .startsWith(all)
                .matches("(?s).* 0\nof these \\d+ were played, the others are mirror images of them \\(\\d+ kinds;"
                        + " --every plays all\\)\n");
    }

    /** Two failures are like others of their kind: the report by kinds equals a simulation of every pair. */
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
    void everySingleFailureEqualsItsOwnRun() throws Exception {
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

    /** For any engine, as in the daemon. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "pair; 0 switches, 2 host ports; 2 destination LIDs; nothing between its ends",
                "loop; 0 switches, 2 host ports; 2 destination LIDs; nothing between its ends",
                "tree:4,1; 1 switches, 4 host ports; 5 destination LIDs; 1 of 1 single failures",
                "torus:1x1,hosts=1; 1 switches, 1 host ports; 2 destination LIDs; 1 of 1 single failures",
                "tree:leaves=1,spines=2,hosts=1; 3 switches, 1 host ports; 4 destination LIDs; no single failure of 5",
                "torus:2x1,hosts=0; 2 switches, 0 host ports; 2 destination LIDs; of 3 single failures"
            })
    void plansSmallShapesWithEachEngine(String spec, String size, String proved, String spare) throws Exception {
        assertThat(run("plan", spec)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains(size, proved, spare);
        assertThat(err()).doesNotContain("cut off");
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
            assertThat(out()).contains(" failures, one at a time: ");
        }
    }

    /** As the daemon would, without the words that only tori have. */
    @Test
    void plansATreeWithoutSettings() throws Exception {
        String file = drawn(DrawnTopology.fatTree(3, 2));
        assertThat(run("plan", file)).as(err()).isEqualTo(ExitCode.OK);
        assertThat(err()).contains("note: no engine was named, and this is a tree; taken is auto");
        assertThat(out().lines())
                .startsWith("16 switches, 12 host ports, 24 cables between switches")
                .contains("  cables     directions       min        mean       max", "tolerated losses")
                .anyMatch(line -> line.startsWith("  all                48 "))
                .endsWith("no single failure of 40 stops routing");
        assertThat(out()).doesNotContain("dimension", "rings");
        out.reset();
        assertThat(run("what-if", file, "--each", "switch")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("16 failures, one at a time: 16 can be routed, 0 not");
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
        assertThat(run("cabling", file, "--torus", "6x6x6")).as(err()).isEqualTo(ExitCode.CHECK_FAILED);
        assertThat(out().lines().map(String::strip))
                .hasSize(7)
                .startsWith("2 cable ends to move; unplug all before you plug in any:")
                .anyMatch(line -> line.startsWith("from (0,0,0) ") && line.endsWith("port 1"))
                .anyMatch(line -> line.startsWith("to   (2,1,2) ") && line.endsWith("port 3"));
        out.reset();
        assertThat(run("cabling", file, "--torus", "6x6x6", "--json")).isEqualTo(ExitCode.CHECK_FAILED);
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

    /** Returns the 6x5 torus of the manual page without its switch T, at (3,2), and T's host. */
    private String withoutT() throws Exception {
        return file("torus:6x5x1", "S-0000000000200110", "H-0000000100001100");
    }

    private String drawn(DrawnTopology topology) throws Exception {
        return Files.writeString(dir.resolve("drawn.topo"), topology.text()).toString();
    }
}
