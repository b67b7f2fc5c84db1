package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.traffic.TrafficPattern;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The command {@code traffic}: the simulated data plane of a fabric on paper. */
class TrafficCommandTest {
    @TempDir
    Path dir;

    @Test
    void torusFlows() throws Exception {
        Outcome outcome = run("torus:6x5x1,hosts=4", "--load", "0.15,0.5", "--length", "200", "--json");
        assertThat(outcome.exit).isEqualTo(ExitCode.OK);
        JsonNode report = new ObjectMapper().readTree(outcome.out);
        assertThat(report.at("/hosts").asInt()).isEqualTo(120);
        assertThat(report.at("/runs/0/accepted").asDouble()).isBetween(0.14, 0.16);
        assertThat(report.at("/runs/1/p99Ns").asLong())
                .isGreaterThan(report.at("/runs/0/p99Ns").asLong());
        assertThat(report.at("/links")).hasSize(120);
        JsonNode busiest = report.at("/links/0");
        assertThat(busiest.at("/from").asText()).matches("0x[0-9a-f]{16} \"sw-.*\" port \\d+");
        assertThat(busiest.at("/to").asText()).matches("0x[0-9a-f]{16} \"sw-.*\" port \\d+");
        assertThat(busiest.at("/ends").asText()).contains(" to ").doesNotContain("0x");
        double half = busiest.at("/film").asText().substring(24).chars().sum() / 24.0 - '0';
        assertThat(half / 9).isCloseTo(busiest.at("/busy").asDouble(), within(0.03));
        assertThat(busiest.at("/film").asText()).matches("[0-9]{48}");
        assertThat(outcome.err).contains("load 0.150: 0.1");
    }

    /** Shortest paths deadlock, and so do hosts that do not request SLs. */
    @ParameterizedTest
    @CsvSource({"--routing_engine, minhop", "--sl, 0"})
    void withoutItsSlsItHangs(String option, String value) throws Exception {
        Outcome outcome = run("torus:6x5x1,hosts=4", "--load", "1", "--length", "400", option, value);
        assertThat(outcome.exit).isEqualTo(ExitCode.CHECK_FAILED);
        assertThat(outcome.out).contains("HANGS", "deadlock at load 1.000", "waits for");
    }

    @Test
    void groupsAndBothLevelsFlow() throws Exception {
        Outcome outcome = run(
                "torus:3x3x1,hosts=1", "--load", "0.3", "--group-share", "0.1", "--upper-share", "0.5", "--hoq", "500");
        assertThat(outcome.exit).isEqualTo(ExitCode.OK);
        assertThat(outcome.out).contains("no deadlock");
    }

    @ParameterizedTest
    @EnumSource
    void everyPatternIsSent(TrafficPattern pattern) throws Exception {
        Outcome outcome = run("torus:4x3x3,hosts=1", "--pattern", pattern.word(), "--load", "0.1", "--length", "100");
        assertThat(outcome.exit).isEqualTo(ExitCode.OK);
        assertThat(outcome.out).contains("pattern " + pattern.word());
    }

    /** Rings of 6 hosts, each of which sends 2 x 5 parts of a sixth at 0.25 ns a byte (4x QDR). */
    @Test
    void allReduceTakesTheTimeOfItsParts() throws Exception {
        Outcome outcome =
                run("torus:6x5x1,hosts=1", "--all-reduce", "1200000", "--pattern", "ring-x", "--json", "--sl", "path");
        assertThat(outcome.exit).isEqualTo(ExitCode.OK);
        JsonNode report = new ObjectMapper().readTree(outcome.out);
        assertThat(report.at("/left").asInt()).isZero();
        assertThat(report.at("/bytes").asLong()).isEqualTo(30 * 10 * 200_000L);
        assertThat(report.at("/ns").asDouble() / (10 * 200_000)).isBetween(0.25, 0.26);
    }

    @Test
    void messagesOfAFileAreSent() throws Exception {
        Path trace = Files.writeString(
                dir.resolve("trace"),
                "# a job\nhost-0-0-0-0 host-1-1-0-0 5000 100\nhost-1-1-0-0 host-2-2-0-0 1 0 # small\n");
        Outcome outcome = run("torus:3x3x1,hosts=1", "--trace", trace.toString());
        assertThat(outcome.exit).isEqualTo(ExitCode.OK);
        assertThat(outcome.out).contains("5001 bytes").doesNotContain("did not arrive");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "host-0-0-0-0 host-9-9-9-9 1 0|no host has",
                "host-0-0-0-0 host-0-0-0-0 1 0|to itself",
                "host-0-0-0-0 host-1-1-0-0 0 0|not from 1",
                "host-0-0-0-0 host-1-1-0-0 1 -1|not from 0",
                "host-0-0-0-0 host-1-1-0-0 x 0|no whole number",
                "host-0-0-0-0 host-1-1-0-0|not 2 words"
            })
    void badLinesAreNamed(String line, String remedy) throws Exception {
        Path trace = Files.writeString(dir.resolve("trace"), "\n" + line + "\n");
        Outcome outcome = run("torus:3x3x1,hosts=1", "--trace", trace.toString());
        assertThat(outcome.exit).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outcome.err).contains(trace + ":2: ", remedy);
    }

    /** A device may be called anything; nothing of that may become part of the page. */
    @Test
    void pageStandsAloneAndShowsNamesAsText() throws Exception {
        Path topology = dir.resolve("fabric.topo");
        Files.writeString(topology, """
            Switch 3 "S-0000000000000001" # "a</script><b>"
            [1] "S-0000000000000002"[1]
            [2] "H-0000000000000011"[1]
            Switch 3 "S-0000000000000002" # "b"
            [1] "S-0000000000000001"[1]
            [2] "H-0000000000000021"[1]
            Ca 1 "H-0000000000000011" # "one"
            [1] "S-0000000000000001"[2]
            Ca 1 "H-0000000000000021" # "two"
            [1] "S-0000000000000002"[2]
            """);
        Path page = dir.resolve("page.html");
        assertThat(run(topology.toString(), "--load", "0.5", "--length", "50", "--html", page.toString()).exit)
                .isEqualTo(ExitCode.OK);
        String html = Files.readString(page);
        assertThat(html).contains("a\\u003c/script>\\u003cb>").doesNotContain("a</script>", "/*REPORT*/", "src=");
        assertThat(run(topology.toString(), "--load", "0.5", "--length", "50", "--html", page.toString()).exit)
                .isEqualTo(ExitCode.BAD_CONFIGURATION);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--load|0|above 0 to 1",
                "--load|1,x|above 0 to 1",
                "--pattern|storm|one of uniform",
                "--sl|16|from 0 to 15",
                "--packet|5000|from 1 to 4224",
                "--buffer|100|from 2048",
                "--upper-share|2|from 0 to 1",
                "--length|1.5|whole number",
                "--routing_engine|storm|storm"
            })
    void badInputIsNamed(String option, String value, String remedy) throws Exception {
        Outcome outcome = run("torus:3x3x1,hosts=1", option, value);
        assertThat(outcome.exit).isEqualTo(ExitCode.BAD_CONFIGURATION);
        assertThat(outcome.err).contains(remedy);
    }

    @Test
    void hostsAreNeededAndPlacesForSomePatterns() throws Exception {
        assertThat(run("torus:3x3x1,hosts=0").err).contains("two hosts at least");
        assertThat(run("torus:3x3x1,hosts=1", "--routing_engine", "minhop", "--pattern", "tornado").err)
                .contains("needs places");
    }

    private record Outcome(ExitCode exit, String out, String err) {}

    private static Outcome run(String... arguments) throws InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> commandLine = new ArrayList<>(List.of("traffic"));
        commandLine.addAll(Arrays.asList(arguments));
        ExitCode exit = Main.run(
                commandLine.toArray(String[]::new),
                (options, host) -> {
                    throw new AssertionError("a daemon was started");
                },
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return new Outcome(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
