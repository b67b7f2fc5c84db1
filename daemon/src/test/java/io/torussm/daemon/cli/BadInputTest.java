package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The program in this JVM, mostly with unusable input: its exit code, and the line of the log that names the error and
 * the remedy.
 */
class BadInputTest {
    private static final String LINKS = "xp_link 0x200000 0x200030\nyp_link 0x200000 0x200010\n";

    @TempDir
    Path dir;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @Test
    void aGoodFabricComesUpAndIsDumped() throws Exception {
        Path dumps = dir.resolve("dumps");
        ExitCode code = run(
                "--simulate",
                "torus:3x3x1,hosts=2",
                "-Q",
                "-R",
                "torus-2QoS,no_fallback",
                "--dump-dir",
                dumps.toString(),
                "--explain",
                "host-0-0-0-0,host-2-2-0-1");
        assertThat(code).as(outputText()).isEqualTo(ExitCode.OK);
        assertThat(outputText()).contains("(2,2,0)");
        assertThat(logged(SmEvent.SUBNET_UP))
                .singleElement()
                .matches(up -> up.names("9 switches, 18 host ports, 36 links"));
        assertThat(dumps.resolve("opensm-lfts.dump")).isNotEmptyFile();
        assertThat(Files.readAllLines(dir.resolve("state/guid2lid")).stream().filter(line -> line.startsWith("0x")))
                .hasSize(27);
    }

    @Test
    void twoRunsWriteTheSameTables() throws Exception {
        for (String name : List.of("a", "b")) {
            assertThat(run(
                            "--simulate",
                            "torus:4x3x2,links=2",
                            "-Q",
                            "-R",
                            "torus-2QoS",
                            "--dump-dir",
                            dir.resolve(name).toString()))
                    .isEqualTo(ExitCode.OK);
        }
        for (String file : List.of("opensm-lfts.dump", "opensm-sl2vl.dump", "opensm-path-sl.dump")) {
            assertThat(dir.resolve("b").resolve(file))
                    .hasSameBinaryContentAs(dir.resolve("a").resolve(file));
        }
    }

    @Test
    void withoutQosRoutingIsRefusedAndTheRemedyNamed() throws Exception {
        assertThat(run("--simulate", "torus:3x3x1", "-R", "torus-2QoS,no_fallback"))
                .isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(logged(SmEvent.ROUTING_REFUSED)).singleElement().matches(refused -> refused.names("-Q"));
    }

    @Test
    void withoutQosTheDefaultEngineRoutesAndTheRemedyIsNamed() throws Exception {
        assertThat(run("--simulate", "torus:3x3x1", "-R", "torus-2QoS")).isEqualTo(ExitCode.OK);
        assertThat(logged(SmEvent.FALLBACK_ENGINE))
                .singleElement()
                .matches(routed -> routed.names("minhop, the default engine: torus-2QoS refused: ", "-Q"));
    }

    @Test
    void aWrongRadixIsRefusedByTheEngine() throws Exception {
        ExitCode code = run(
                "--simulate",
                "torus:3x3x1",
                "-Q",
                "-R",
                "torus-2QoS,no_fallback",
                "--torus_config",
                conf("torus 5 3 1\n" + LINKS));
        assertThat(code).isEqualTo(ExitCode.ROUTING_REFUSED);
        assertThat(logged(SmEvent.TORUS_DEGRADED)).anyMatch(missing -> missing.names("(4,0,0)"));
        assertThat(logged(SmEvent.ROUTING_REFUSED))
                .singleElement()
                .matches(refused -> refused.names(dir.resolve("torus-2QoS.conf"), "torus 3 3 1", "torus 5 3 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "torus 3 3 1\\nfoo 1\\n, 2, foo",
        "torus 3 3\\n, 1, torus",
        "torus 3 3 1\\nxp_link 0x1\\n, 2, xp_link",
        "torus 3 3 1\\ntorus 3 3 1\\n, 2, torus",
        "x_dateline 1\\ntorus 3 3 1\\n, 1, x_dateline",
        "torus 3 3 1\\nx_dateline 3\\n, 2, x_dateline",
        "torus 3 3 1\\nmax_changes\\n, 2, max_changes"
    })
    void aWrongTorusConfigurationIsToldWithFileAndLine(String text, int line, String word) throws Exception {
        String file = conf(text.replace("\\n", "\n"));
        ExitCode code = run("--simulate", "torus:3x3x1", "-Q", "-R", "torus-2QoS", "--torus_config", file);
        assertThat(code).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints())
                .anySatisfy(told ->
                        assertThat(told).startsWith(file + ":" + line + ": ").contains(word));
        assertThat(dir.resolve("state/guid2lid")).doesNotExist();
    }

    @Test
    void aTorusConfigurationThatIsNotThereIsNamed() throws Exception {
        ExitCode code = run("--simulate", "torus:3x3x1", "-Q", "-R", "torus-2QoS", "--torus_config", "/nowhere/t.conf");
        assertThat(code).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints()).singleElement().asString().contains("/nowhere/t.conf");
    }

    /** A file that is not there is no reason to leave a fabric without routes that another engine has. */
    @Test
    void anEngineWithoutItsFileIsSkippedIfTheChainHasAnother() throws Exception {
        String[] fabric = {"--simulate", "torus:3x3x1", "--lfts_file", "/nowhere/lfts", "-R"};
        assertThat(run(with(fabric, "file,updn,no_fallback"))).isEqualTo(ExitCode.OK);
        assertThat(logged(SmEvent.FALLBACK_ENGINE)).singleElement().matches(refused -> refused.names("/nowhere/lfts"));
        assertThat(logged(SmEvent.PROOF_DONE)).singleElement().matches(proved -> proved.names("updn"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"file", "file,no_fallback"})
    void anEngineWhoseFileIsNotThereEndsTheStartIfThereIsNoOther(String engines) throws Exception {
        String[] fabric = {"--simulate", "torus:3x3x1", "--lfts_file", "/nowhere/lfts", "-R"};
        assertThat(run(with(fabric, engines))).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints()).singleElement().asString().contains("/nowhere/lfts", "lfts_file");
    }

    @Test
    void anUnknownKeyIsReportedWithItsLineAndTheNearestKnownOne() throws Exception {
        Path file = Files.writeString(dir.resolve("sm.conf"), "qos = true\nsweep_intervall = 5\n");
        assertThat(run("-F", file.toString(), "--simulate", "torus:3x3x1")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints())
                .singleElement()
                .asString()
                .startsWith(file + ":2: ")
                .contains("\"sweep_intervall\"", "\"sweep_interval\"");
    }

    @Test
    void anUnknownEngineIsReportedWithTheNearestKnownOne() throws Exception {
        assertThat(run("--simulate", "torus:3x3x1", "-Q", "-R", "torus-2qos")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints()).singleElement().asString().contains("\"torus-2qos\"", "\"torus-2QoS\"");
    }

    @Test
    void aTopologyFileCutInHalfIsReportedWithFileAndLine() throws Exception {
        assertThat(run(
                        "--simulate",
                        "torus:3x3x1",
                        "-Q",
                        "-R",
                        "torus-2QoS",
                        "--dump-dir",
                        dir.resolve("d").toString()))
                .isEqualTo(ExitCode.OK);
        String whole = Files.readString(dir.resolve("d/fabric.topo"));
        Path half = Files.writeString(dir.resolve("half.topo"), whole.substring(0, whole.length() / 2));
        assertThat(run("--simulate", half.toString(), "-R", "minhop")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints()).singleElement().asString().contains(half + ":");
    }

    @ParameterizedTest
    @CsvSource({"torus:0x3x1", "torus:3", "'torus:3x3x1,colour=red'", "/nowhere/fabric.topo"})
    void aSpecThatIsNoneIsTold(String spec) throws Exception {
        assertThat(run("--simulate", spec, "-Q", "-R", "minhop")).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outputText()).contains(spec.substring(spec.indexOf('/') + 1));
    }

    @Test
    void aHostThatIsNotOnTheFabricIsReported() throws Exception {
        assertThat(run("--simulate", "torus:3x3x1", "--sim-host", "absent", "-Q", "-R", "minhop"))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outputText()).contains("absent");
    }

    @Test
    void aMachineWithoutAPortReceivesTheRemedy() throws Exception {
        assertThat(run("-g", "0x1234", "-Q", "-R", "minhop")).isEqualTo(ExitCode.NO_PORT);
        assertThat(outputText()).containsAnyOf("modprobe", "apt", "there is:");
    }

    @Test
    void aStateDirectoryThatCannotBeUsedIsNamed() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "");
        assertThat(run(
                        "--simulate",
                        "torus:3x3x1",
                        "-Q",
                        "-R",
                        "minhop",
                        "--state-dir",
                        file.resolve("x").toString()))
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(complaints())
                .singleElement()
                .asString()
                .contains(file.resolve("x").toString());
    }

    private ExitCode run(String... arguments) throws InterruptedException {
        List<String> commandLine = new ArrayList<>(
                List.of("--once", "--log_file", dir.resolve("log").toString()));
        commandLine.addAll(List.of(arguments));
        if (!commandLine.contains("--state-dir")) {
            commandLine.addAll(List.of("--state-dir", dir.resolve("state").toString()));
        }
        PrintStream stream = new PrintStream(output, true, StandardCharsets.UTF_8);
        return Main.run(commandLine.toArray(String[]::new), SubnetManager::open, stream, stream);
    }

    private String outputText() throws IOException {
        Path log = dir.resolve("log");
        return output.toString(StandardCharsets.UTF_8) + (Files.exists(log) ? Files.readString(log) : "");
    }

    private List<LoggedEvent> logged(SmEvent event) throws IOException {
        return LoggedEvents.in(outputText()).stream()
                .filter(logged -> logged.event() == event)
                .toList();
    }

    /** Errors of a command line or a file, printed or logged; a start that fails does both. */
    private List<String> complaints() throws IOException {
        Stream<String> printed = output.toString(StandardCharsets.UTF_8)
                .lines()
                .map(line -> line.replace("torus-sm: ", "").replace(SmEvent.CONFIGURATION_ERROR.code() + " ", ""));
        Stream<String> logged = logged(SmEvent.CONFIGURATION_ERROR).stream().map(event -> event.get(EventField.TEXT));
        return Stream.concat(printed, logged).distinct().toList();
    }

    private String conf(String text) throws IOException {
        return Files.writeString(dir.resolve("torus-2QoS.conf"), text).toString();
    }

    private static String[] with(String[] arguments, String last) {
        return Stream.concat(Stream.of(arguments), Stream.of(last)).toArray(String[]::new);
    }
}
