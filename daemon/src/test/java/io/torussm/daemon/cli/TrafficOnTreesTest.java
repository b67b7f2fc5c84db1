package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.system.ExitCode;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Traffic on trees: shifts, engines side by side, losses. */
class TrafficOnTreesTest {
    @TempDir
    Path dir;

    static LongStream seeds() {
        return Seeds.few();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tree:2,2", "tree:3,3", "tree:4,3", "tree:2,4", "tree:4,3,hosts=3", "tree:6,2,hosts=1"})
    void noShiftOfAWholeTreeMeetsContentionWithFtree(String tree) throws Exception {
        JsonNode report = run(tree, "-R", "ftree", "--shifts", "--json").json();
        assertThat(report.at("/worst").asInt()).isEqualTo(1);
        assertThat(report.at("/free").asInt()).isEqualTo(report.at("/hosts").asInt() - 1);
        assertThat(report.at("/order").asText()).isEqualTo("leaves");
    }

    /** Trees of three levels in which as many cables lead up from each switch as down. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noShiftOfADrawnTreeMeetsContentionWithFtree(long seed) throws Exception {
        Random random = Seeds.random(seed);
        int hosts = 2 + random.nextInt(4);
        int leaves = 2 + random.nextInt(4);
        String tree =
                "tree:down=" + hosts + "x" + leaves + "x" + (2 + random.nextInt(4)) + ",up=1x" + hosts + "x" + leaves;
        JsonNode report = run(tree, "-R", "ftree", "--shifts", "--json").json();
        assertThat(report.at("/worst").asInt()).as(tree).isEqualTo(1);
    }

    /** A host that lost its way has to share another; ways that are shared already may be shared once more. */
    @ParameterizedTest
    @MethodSource("seeds")
    void aFewHostsShareACableAfterALoss(long seed) throws Exception {
        String tree = "tree:4,3";
        int lost = 1 + (int) (seed % 4);
        JsonNode report = run(
                        tree,
                        "-R",
                        "ftree",
                        "--root_guid_file",
                        roots(tree, "sw-3-"),
                        "--shifts",
                        "--lose",
                        String.valueOf(lost),
                        "--seed",
                        String.valueOf(seed),
                        "--json")
                .json();
        assertThat(report.at("/lost")).hasSize(lost);
        assertThat(report.at("/whole/worst").asInt()).isEqualTo(1);
        assertThat(report.at("/left/hosts").asInt()).isEqualTo(64);
        assertThat(report.at("/left/lost").asInt()).isZero();
        assertThat(report.at("/left/worst").asInt()).isBetween(2, 2 + lost);
    }

    @Test
    void aShiftIsSentAtFullLoad() throws Exception {
        JsonNode report = run(
                        "tree:4,3", "-R", "ftree", "--pattern", "shift", "--load", "1", "--length", "400", "--json")
                .json();
        assertThat(report.at("/runs/0/accepted").asDouble()).isGreaterThan(0.9);
        report = run("tree:4,3", "-R", "minhop", "--pattern", "shift", "--shift", "13", "--load", "1", "--json")
                .json();
        assertThat(report.at("/runs/0/accepted").asDouble()).isLessThan(0.5);
    }

    @Test
    void enginesAreComparedOnTheWholeFabricAndOnTheRest() throws Exception {
        Outcome outcome = run(
                "tree:3,3",
                "--compare",
                "ftree,minhop,torus-2QoS",
                "--load",
                "0.5",
                "--length",
                "100",
                "--fail",
                "sw-3-0",
                "--fail",
                "sw-1-0:4");
        assertThat(outcome.exit).as(outcome.err).isEqualTo(ExitCode.OK);
        assertThat(outcome.out)
                .contains("27 hosts, loads by pattern uniform", "  switch sw-3-0", "  link sw-1-0 port 4 to ")
                .containsPattern("ftree +1 +1.00 +26 +0[.]")
                .containsPattern("(?s)without.*minhop +[2-9] ")
                .containsPattern("torus-2QoS +refused: .*no --torus_config");
        assertThat(outcome.err).contains("torus-sm: minhop, load 0.500: ");
        assertThat(run("tree:3,3", "--compare", "torus-2QoS").exit).isEqualTo(ExitCode.ROUTING_REFUSED);
    }

    @Test
    void textSaysWhichShiftIsWorst() throws Exception {
        assertThat(run("tree:2,2", "-R", "ftree", "--shifts").out).isEqualTo("""
                4 hosts in the order of leaves, 3 shifts, routed by ftree

                    hosts over busiest cable    shifts
                                           1         3

                no contention: 3 of 3 shifts are free of contention; busiest cable: mean 1.00 hosts, worst 1
                """);
        assertThat(run("tree:4,3", "-R", "minhop", "--shifts").out)
                .contains("8 of 63 shifts are free of contention")
                .containsPattern("worst with shift \\d+: sw-\\d-\\d+ port \\d to sw-\\d-\\d+ port \\d");
        assertThat(run("torus:4x3,hosts=2", "--shifts").out).startsWith("24 hosts in the order of GUIDs");
    }

    /** LMC: the tables of the first LID count. */
    @Test
    void hostsMayHaveSeveralLids() throws Exception {
        JsonNode report =
                run("tree:3,3", "-R", "updn", "-l", "1", "--shifts", "--json").json();
        assertThat(report.at("/lost").asInt()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pair|--shifts|no such cable",
                "tree:4,1|--shifts|no such cable",
                "tree:4,2,hosts=0|--shifts|two hosts at least",
                "pair|--lose=1|1 cables cannot be lost: 0 join switches",
                "tree:2,2|--lose=9|9 cables cannot be lost: 4 join switches",
                "tree:2,2|--lose=0|whole number from 1",
                "tree:2,2|--fail=spine-7|no switch or link is called",
                "tree:2,2|--shift=1|--pattern shift",
                "tree:2,2|--pattern=shift --shift=4|give 1 to 3",
                "tree:2,2|--compare=ftree,storm|engines are",
                "tree:2,2|--compare=ftree --shifts|give one of",
                "tree:2,2|--shifts --html=page.html|leave out --shifts",
                "tree:2,2|--lose=1 --dump=dir|a dump of its own",
                "tree:2,2|--dump=one --dump=two|--compare"
            })
    void badInputIsNamed(String tree, String options, String remedy) throws Exception {
        Outcome outcome = run(
                Stream.concat(Stream.of(tree), Stream.of(options.split(" "))).toArray(String[]::new));
        assertThat(outcome.exit).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outcome.err).contains(remedy);
    }

    @Test
    void twoHostsOnACableSendAShift() throws Exception {
        assertThat(run("pair", "--pattern", "shift", "--load", "0.5", "--length", "100").exit)
                .isEqualTo(ExitCode.OK);
        assertThat(run("pair", "--compare", "minhop,ftree", "--load", "0.5", "--length", "100").exit)
                .isEqualTo(ExitCode.OK);
    }

    @Test
    void patternsAreCompleted() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        assertThat(Main.run(new String[] {"generate-completion"}, stream, stream))
                .isEqualTo(ExitCode.OK);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"all-to-all\"", "\"shift\"", "\"incast\"");
    }

    /** Nothing of a fabric is left over without its only switch. */
    @Test
    void theLastSwitchCannotBeLost() throws Exception {
        assertThat(run("tree:4,1", "-R", "minhop", "--fail", "sw-1-0").err).contains("no switch is left");
    }

    private record Outcome(ExitCode exit, String out, String err) {
        JsonNode json() throws Exception {
            assertThat(exit).as(err).isEqualTo(ExitCode.OK);
            return new ObjectMapper().readTree(out);
        }
    }

    private static Outcome run(String... arguments) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ExitCode exit = Main.run(
                Stream.concat(Stream.of("traffic"), Stream.of(arguments)).toArray(String[]::new),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Returns a file of the switches of the highest level of a specified tree. */
    private String roots(String spec, String prefix) throws Exception {
        String guids = TopologySpec.of(spec).topology().nodes().stream()
                .filter(node -> node.description().startsWith(prefix))
                .map(node -> "0x" + Long.toHexString(node.nodeGuid()) + "\n")
                .collect(Collectors.joining());
        return Files.writeString(dir.resolve("roots"), guids).toString();
    }
}
