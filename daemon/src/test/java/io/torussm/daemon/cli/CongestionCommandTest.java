package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.system.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code torus-sm traffic --congestion}, in scenarios of our own. */
class CongestionCommandTest {
    @TempDir
    Path dir;

    private record Outcome(ExitCode exit, String out, String err) {}

    private static Outcome run(String... arguments) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> all = new ArrayList<>(List.of("traffic"));
        all.addAll(Arrays.asList(arguments));
        ExitCode exit = Main.run(
                all.toArray(String[]::new),
                (options, host) -> {
                    throw new AssertionError("a daemon was started");
                },
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private static JsonNode rows(String topology, String pattern, String load, String settings) throws Exception {
        Outcome outcome = run(
                topology, "--pattern", pattern, "--load", load, "--congestion", settings, "--length", "4000", "--json");
        assertThat(outcome.exit).as(outcome.err).isEqualTo(ExitCode.OK);
        return new ObjectMapper().readTree(outcome.out).at("/rows");
    }

    /** Traffic past the hot spot gets more, and the hot spot is busy. */
    @ParameterizedTest
    @CsvSource({
        "'torus:4x4x4,hosts=4', victim, 0.9, 1.5, 0.95",
        "'torus:6x5x1,hosts=4', hot-spot, 0.3, 1.3, 0.8",
        "'torus:4x4x4,hosts=4', windy, 0.3, 1.5, 0.9",
        "'tree:4,3', hot-spot, 0.5, 1.2, 0.95"
    })
    void publishedSettingsHelpTrafficPastHotSpots(
            String topology, String pattern, String load, double gain, double busy) throws Exception {
        JsonNode rows = rows(topology, pattern, load, "off,published");
        JsonNode off = rows.get(0);
        JsonNode published = rows.get(1);
        assertThat(off.at("/hotSpots").asDouble()).isGreaterThan(0.95);
        assertThat(published.at("/hotSpots").asDouble()).isGreaterThan(busy);
        assertThat(published.at("/others").asDouble())
                .isGreaterThan(gain * off.at("/others").asDouble());
        assertThat(off.at("/marked/fecn").asLong()).isZero();
        assertThat(published.at("/marked/becn").asLong())
                .isPositive()
                .isLessThanOrEqualTo(published.at("/marked/fecn").asLong());
    }

    /** The published timer keeps only a few of 64 senders slow. */
    @Test
    void scaledSettingsSlowAllSendersDown() throws Exception {
        JsonNode rows = rows("tree:4,3", "hot-spot", "0.5", "published,scaled");
        assertThat(rows.get(1).at("/name").asText()).isEqualTo("scaled");
        assertThat(rows.get(1).at("/others").asDouble())
                .isGreaterThan(2 * rows.get(0).at("/others").asDouble());
    }

    /** A timer is a packet of 0.512 us of each of 16 hosts, and so is the delay of the last entry, 127. */
    @Test
    void scaledSettingsFollowTheNumberOfHosts() throws Exception {
        Path conf = dir.resolve("cc.conf");
        Outcome outcome = run(
                "tree:4,2",
                "--pattern",
                "incast",
                "--length",
                "2000",
                "--congestion",
                "scaled",
                "--tune-cc",
                "2",
                "--cc-conf",
                conf.toString());
        assertThat(outcome.exit).as(outcome.err).isEqualTo(ExitCode.OK);
        assertThat(outcome.err)
                .contains(
                        "candidate 2 after its whole run: ",
                        "with threshold 15, rate 0, timer 9, increase 32, step 2/8")
                .doesNotContain("candidate 3");
    }

    /** If too many senders are expected, the hot spot is idle. */
    @Test
    void settingsForFewerSendersKeepAHotSpotBusy() throws Exception {
        JsonNode rows = rows("tree:4,3", "victim", "0.5", "off,scaled,scaled:32,scaled:16");
        assertThat(rows.get(1).at("/hotSpots").asDouble()).isLessThan(0.5);
        assertThat(rows.get(2).at("/hotSpots").asDouble()).isBetween(0.6, 0.8);
        assertThat(rows.get(3).at("/name").asText()).isEqualTo("scaled:16");
        assertThat(rows.get(3).at("/hotSpots").asDouble()).isGreaterThan(0.99);
        assertThat(rows.get(0).at("/fairness").asDouble()).isLessThan(0.4);
        assertThat(rows.get(3).at("/fairness").asDouble()).isGreaterThan(0.99);
    }

    /** These settings take effect late, so that messages of the first part arrive in the measured part. */
    @Test
    void messagesThatWaitedDoNotRaiseAScore() throws Exception {
        Path conf = dir.resolve("late.conf");
        String table =
                IntStream.rangeClosed(1, 127).mapToObj(i -> ",3:" + 26 * i).collect(Collectors.joining("", "0:0", ""));
        Files.writeString(
                conf,
                String.join(
                        "\n",
                        "congestion_control = true",
                        "cc_sw_cong_setting_control_map = 20",
                        "cc_sw_cong_setting_threshold = 13",
                        "cc_sw_cong_setting_packet_size = 8",
                        "cc_sw_cong_setting_marking_rate = 9",
                        "cc_ca_cong_setting_control_map = 65535",
                        "cc_ca_cong_setting_ccti_timer = \"0:13\"",
                        "cc_ca_cong_setting_ccti_increase = \"0:11\"",
                        "cc_cct = \"" + table + "\""));
        Outcome outcome = run(
                "tree:4,3",
                "--pattern",
                "hot-spot",
                "--load",
                "0.5",
                "--length",
                "2000",
                "--congestion",
                conf.toString(),
                "--json");
        JsonNode row = new ObjectMapper().readTree(outcome.out).at("/rows/0");
        assertThat(row.at("/accepted").asDouble()).isGreaterThan(0.5);
        assertThat(row.at("/score").asDouble()).isLessThan(0.453);
    }

    /** The options of OpenSM have no effect until threshold, timer and table are given. */
    @Test
    void defaultsOfOpenSmChangeNothing() throws Exception {
        Path conf = dir.resolve("defaults.conf");
        Files.writeString(conf, "congestion_control = true\n");
        JsonNode rows = rows("torus:4x3x3,hosts=2", "hot-spot", "0.4", "off," + conf);
        assertThat(rows.get(1).at("/score").asDouble())
                .isEqualTo(rows.get(0).at("/score").asDouble());
        assertThat(rows.get(1).at("/marked/fecn").asLong()).isZero();
    }

    @Test
    void aSearchWritesAConfigurationThatGivesTheSameRun() throws Exception {
        Path conf = dir.resolve("cc.conf");
        String[] arguments = {
            "tree:4,2",
            "--pattern",
            "hot-spot",
            "--load",
            "0.6",
            "--length",
            "2000",
            "--congestion",
            "off",
            "--tune-cc",
            "5",
            "--json"
        };
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(List.of("--cc-conf", conf.toString()));
        Outcome search = run(all.toArray(String[]::new));
        assertThat(search.exit).as(search.err).isEqualTo(ExitCode.OK);
        assertThat(search.err).contains("candidate 1 after its whole run: ").contains("of its run: ");
        assertThat(run(arguments).out).isEqualTo(search.out);
        JsonNode tuned = new ObjectMapper().readTree(search.out).at("/rows/1");
        Outcome again = run(
                "tree:4,2",
                "--pattern",
                "hot-spot",
                "--load",
                "0.6",
                "--length",
                "2000",
                "--congestion",
                conf.toString(),
                "--json");
        JsonNode read = new ObjectMapper().readTree(again.out).at("/rows/0");
        assertThat(read.at("/score").asDouble()).isEqualTo(tuned.at("/score").asDouble(), within(0.0));
        assertThat(read.at("/marked")).isEqualTo(tuned.at("/marked"));
    }

    @Test
    void aSearchAfterALossWritesTheSettingsOfTheRest() throws Exception {
        Path conf = dir.resolve("cc.conf");
        Outcome outcome = run(
                "tree:4,2",
                "--pattern",
                "hot-spot",
                "--load",
                "0.6",
                "--length",
                "200",
                "--congestion",
                "off",
                "--tune-cc",
                "3",
                "--lose",
                "1",
                "--cc-conf",
                conf.toString(),
                "--json");
        assertThat(outcome.exit).as(outcome.err).isEqualTo(ExitCode.OK);
        JsonNode settings = new ObjectMapper().readTree(outcome.out).at("/left/settings");
        List<String> lines = new ArrayList<>();
        settings.forEach(line -> lines.add(line.asText()));
        assertThat(Files.readAllLines(conf)).isNotEmpty().isEqualTo(lines);
    }

    /** The search tries settings for 16 senders first. Their whole run says little about a ninth of it. */
    @Test
    void aSearchDoesNotDependOnSettingsThatWereNamed() throws Exception {
        List<String> search = linesOfSearch("off");
        assertThat(search).anyMatch(line -> line.contains("candidate 3 after 1/9 of its run"));
        assertThat(linesOfSearch("off,published,scaled,scaled:16")).isEqualTo(search);
    }

    private List<String> linesOfSearch(String settings) throws InterruptedException {
        Outcome outcome = run(
                "tree:4,3",
                "--pattern",
                "victim",
                "--load",
                "0.5",
                "--length",
                "500",
                "--congestion",
                settings,
                "--tune-cc",
                "5");
        assertThat(outcome.exit).as(outcome.err).isEqualTo(ExitCode.OK);
        return outcome.err.lines().filter(line -> line.contains(": candidate ")).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--cc-conf", "--html"})
    void anExistingFileIsRefusedBeforeTheFirstRun(String option) throws Exception {
        Path file = dir.resolve("existing");
        Files.writeString(file, "kept");
        List<String> all = new ArrayList<>(List.of("tree:4,2", "--length", "200", option, file.toString()));
        if (option.equals("--cc-conf")) {
            all.addAll(List.of("--congestion", "off", "--tune-cc", "3"));
        }
        Outcome outcome = run(all.toArray(String[]::new));
        assertThat(outcome.exit).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outcome.err).contains("existing is there already").doesNotContain("candidate 1", "load 0.1");
        assertThat(outcome.out).isEmpty();
        assertThat(file).hasContent("kept");
    }

    @ParameterizedTest
    @CsvSource({
        "'--tune-cc 5', --tune-cc goes with --congestion",
        "'--congestion off --cc-conf f', --cc-conf goes with --tune-cc",
        "'--congestion off --group-share 0.1', packets to groups are not slowed down",
        "'--congestion off --load 0.2,0.8', --congestion compares settings at one load",
        "'--congestion off --shifts', give one of",
        "'--congestion no-such-file', no-such-file",
        "'--congestion off --tune-cc 0', a whole number from 1",
        "'--congestion scaled:0', 'a number of hosts that send, such as scaled:32'",
        "'--congestion scaled:many', 'a number of hosts that send, such as scaled:32'",
        "'--congestion off,', 1 to 16 different settings",
        "'--congestion off,off', 1 to 16 different settings",
        "'--congestion 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17', 1 to 16 different settings",
    })
    void optionsThatDoNotGoTogetherAreRefused(String options, String problem) throws Exception {
        List<String> all = new ArrayList<>(List.of("tree:4,2"));
        all.addAll(List.of(options.split(" ")));
        Outcome outcome = run(all.toArray(String[]::new));
        assertThat(outcome.exit).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outcome.err).contains(problem);
    }
}
