package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.ExitCode;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.TopologyText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The command {@code path}: a path through a fabric that is only a file or a specification. The torus has 6x5 switches.
 */
class PathCommandTest extends CommandHarness {
    private static final String TORUS = "torus:6x5x1";

    @Test
    void explainsAPathThroughATorusThatIsOnlyASpecification() throws Exception {
        assertThat(path("host-1-1-0-0", "host-3-3-0-0")).as(err()).isEqualTo(ExitCode.OK);
        assertThat(out().lines().skip(2))
                .containsExactly(
                        "SL   0 (level wanted: 0), routed by torus-2QoS",
                        "hop  node          place    in  out  VL  why",
                        "0    host-1-1-0-0               1    0   source",
                        "1    sw-1-1-0      (1,1,0)  7   1    0   +x  DOR: x first",
                        "2    sw-2-1-0      (2,1,0)  2   1    0   +x  DOR: x first",
                        "3    sw-3-1-0      (3,1,0)  2   3    0   +y  DOR: x is right, y next",
                        "4    sw-3-2-0      (3,2,0)  4   3    0   +y  DOR: x is right, y next",
                        "5    sw-3-3-0      (3,3,0)  4   7    0   delivery to host port",
                        "arrives at \"host-3-3-0-0\", after 5 switches",
                        "with SL 0 on all connections of all hosts, independently of path records (NCCL_IB_SL, UCX_IB_SL):"
                                + " CREDIT LOOP");
        assertThat(err()).isEmpty();
    }

    @Test
    void explainsBothLevelsBetweenPlaces() throws Exception {
        assertThat(path("(5,0,0)", "0,0,0", "both")).isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("SL   1 (level wanted: 0) and 9 (level wanted: 8)")
                .contains("sw-5-0-0  (5,0,0)  0   1    1/5  +x  DOR: x first; crosses the dateline");
    }

    @Test
    void printsTheAnswerOfTheDaemon() throws Exception {
        assertThat(path("-l", "1", "--max_op_vls", "3", "host-5-4-0-0", "host-1-1-0-0"))
                .isEqualTo(ExitCode.OK);
        ByteArrayOutputStream daemon = new ByteArrayOutputStream();
        List<String> arguments = new ArrayList<>(List.of("--once", "-Q", "--simulate", TORUS));
        arguments.addAll(List.of("-l", "1", "--max_op_vls", "3", "--explain", "host-5-4-0-0,host-1-1-0-0"));
        arguments.addAll(List.of("--state-dir", dir.resolve("state").toString()));
        arguments.addAll(List.of("--log_file", dir.resolve("log").toString()));
        Main.run(arguments.toArray(String[]::new), SubnetManager::open, stream(daemon), stream(daemon));
        assertThat(out().lines().filter(line -> !line.startsWith("with SL")))
                .containsExactlyElementsOf(
                        daemon.toString(StandardCharsets.UTF_8).lines().toList());
    }

    @Test
    void readsATopologyFileAndAConfiguration() throws Exception {
        Path topology = dir.resolve("fabric.topo");
        try (java.io.Writer writer = Files.newBufferedWriter(topology)) {
            TopologyText.write(TorusSpec.parse(TORUS).topology(), writer);
        }
        Path torus = Files.writeString(
                dir.resolve("torus-2QoS.conf"), TorusSpec.parse(TORUS).torus2QosConf());
        Path conf = Files.writeString(
                dir.resolve("sm.conf"), "qos = true\nsimulate = \"" + topology + "\"\nstate_dir = \"/nowhere\"\n");
        assertThat(run("path", "-c", conf.toString(), "--torus_config", torus.toString(), "sw-1-1-0", "sw-3-3-0"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("arrives at \"sw-3-3-0\", after 4 switches");
        assertThat(dir).isDirectoryNotContaining("glob:**state**");
    }

    @Test
    void tellsWhyADamagedFabricIsRoutedAsItIs() throws Exception {
        String topology = cut("200060[1]", "2000b0[2]");
        assertThat(run("path", "-Q", "--simulate", topology, "--torus_config", seed(), "1,1,0", "3,3,0"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("SL   0 ")
                .contains("(1,1,0)  0   2    0   -x  long way round: the ring (*,1,0) is broken between (1,1,0) and")
                .contains("arrives at \"sw-3-3-0\", after 6 switches");
        assertThat(err()).contains("warning: ", "(1,1,0)", "(2,1,0)");
    }

    @Test
    void refusesAFabricThatIsDamagedTooMuch() throws Exception {
        String topology = cut("200060[1]", "2000b0[2]", "200150[1]", "2001a0[2]");
        assertThat(run(
                        "path",
                        "-Q",
                        "-R",
                        "torus-2QoS,no_fallback",
                        "--simulate",
                        topology,
                        "--torus_config",
                        seed(),
                        "1,1,0",
                        "3,3,0"))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(err()).contains("(*,1,0)");
        assertThat(out()).isEmpty();
    }

    @Test
    void namesNoPlacesThatAnEngineHasNot() throws Exception {
        assertThat(path("-R", "updn", "sw-1-1-0", "sw-3-3-0")).isEqualTo(ExitCode.OK);
        assertThat(out())
                .contains("hop  node      in  out  VL  why\n", "down within rank 5; the only such port\n")
                .doesNotContain("DOR");
    }

    @Test
    void refusesFabricsThatTheEnginesRefuse() throws Exception {
        assertThat(run("path", "--simulate", TORUS, "-R", "torus-2QoS,no_fallback", "sw-1-1-0", "sw-3-3-0"))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(err()).contains("torus-2QoS", "-Q");
        assertThat(out()).isEmpty();
    }

    @Test
    void suggestsASimilarName() throws Exception {
        assertThat(path("host-1-1-0-0", "host-3-3-0")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("\"host-3-3-0\"", "\"host-3-3-0-0\"");
        assertThat(path("9,9,9", "sw-1-1-0")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains("(9,9,9)");
        assertThat(out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "path --simulate /nowhere/a.topo a b|/nowhere/a.topo",
                "path --simulate torus:6 a b|torus:6",
                "path a b|--simulate",
                "path --simulate torus:3x3x1 sw-0-0-0|DST",
                "path sw-0-0-0|path --help",
                "path --simulate torus:3x3x1 a b 16|LEVEL",
                "path --simulate torus:3x3x1 a b 1 c|'c'",
                "path --simulate torus:3x3x1 --sim-host absent a b|absent",
                "path --simulate torus:3x3x1,hosts=0 a b|no end port",
                "path --simulate torus:3x3x1 -R torus2 a b|torus-2QoS",
                "path --simulate torus:3x3x1 -c /nowhere/sm.conf a b|/nowhere/sm.conf",
                "path --simulate torus:3x3x1 --torus_config /nowhere/t.conf a b|/nowhere/t.conf",
                "path --simulate torus:3x3x1 --once a b|--once",
            })
    void refusesBadUsageAndSaysWhatIsWrong(String line, String told) throws Exception {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(err()).contains(told);
        assertThat(out()).isEmpty();
    }

    @Test
    void sitsOnASwitchIfThereIsNoHost() throws Exception {
        assertThat(run(
                        "path",
                        "-Q",
                        "--simulate",
                        "torus:3x3x1,hosts=0",
                        "--sim-host",
                        "sw-1-1-0",
                        "sw-1-1-0",
                        "sw-0-1-0"))
                .as(err())
                .isEqualTo(ExitCode.OK);
        assertThat(out()).contains("from \"sw-1-1-0\" port 0, LID 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"path -h", "path --help"})
    void helps(String line) throws Exception {
        assertThat(run(line.split(" "))).isEqualTo(ExitCode.OK);
        assertThat(out()).contains("SRC", "DST", "LEVEL", "--simulate").doesNotContain("--once");
    }

    private ExitCode path(String... arguments) throws InterruptedException {
        List<String> commandLine = new ArrayList<>(List.of("path", "-Q", "--simulate", TORUS));
        commandLine.addAll(List.of(arguments));
        return run(commandLine.toArray(String[]::new));
    }

    /**
     * Returns the 6 x 5 torus without the cables that end at ports such as {@code 2000b0[2]}; both ends of each are
     * named.
     */
    private String cut(String... ports) throws IOException {
        StringWriter whole = new StringWriter();
        TopologyText.write(TorusSpec.parse(TORUS).topology(), whole);
        String damaged = whole.toString()
                .lines()
                .filter(line -> Stream.of(ports).noneMatch(port -> line.contains("0" + port.replace("[", "\"["))))
                .collect(Collectors.joining("\n"));
        return Files.writeString(dir.resolve("cut.topo"), damaged).toString();
    }

    private String seed() throws IOException {
        String seed = "torus 6 5 1\nxp_link 0x200000 0x200050\nyp_link 0x200000 0x200010\n";
        return Files.writeString(dir.resolve("seed.conf"), seed).toString();
    }
}
