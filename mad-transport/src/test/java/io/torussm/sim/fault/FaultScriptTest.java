package io.torussm.sim.fault;

import static io.torussm.sim.fault.ConsoleHarness.EAST_PORT;
import static io.torussm.sim.fault.ConsoleHarness.MIDDLE;
import static io.torussm.sim.fault.ConsoleHarness.WEST;
import static io.torussm.sim.fault.ConsoleHarness.WEST_GUID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Scripts of times, chances and random victims. */
class FaultScriptTest {
    private static final String STORM = """
            seed 7
            every 1 s probability 0.5   random cable down for 300 ms
            every 700 ms from 2 s until 20 s   random switch Busy 0.5 for 2 s
            every 5 s                   random host Reboot
            every 3 s                   random leaf lossy 0.2 for 1 s
            """;

    private final ConsoleHarness bench = new ConsoleHarness();

    private static FaultScript parse(ConsoleHarness bench, String text) throws BadLineException {
        return FaultScript.parse("test.faults", text, bench.console);
    }

    @Test
    void happensAtItsTimes() throws Exception {
        bench.console.schedule().start(parse(bench, """
                        # first comes the cable
                        10 s            Unlink "S-0000000000200000"[5]

                        after 20s       ReLink "S-0000000000200000"[5]
                        every 30 s from 1 m until 2 m  Reboot "H-0000000100000000"
                        """));
        bench.runMs(10_000);
        assertThat(bench.isUp(WEST_GUID, EAST_PORT)).isFalse();
        assertThat(bench.console.schedule().scheduledLines(10))
                .extracting(Schedule.Coming::location)
                .containsExactly("test.faults:4", "test.faults:5");
        assertThat(bench.expectSuccess("Coming")).startsWith("in 10.000 s: ReLink " + WEST + "[5]  (test.faults:4)\n");
        bench.runMs(600_000);
        assertThat(bench.executedLines)
                .containsExactly(
                        "10000 Unlink " + WEST + "[5]",
                        "20000 ReLink " + WEST + "[5]",
                        "60000 Reboot \"H-0000000100000000\"",
                        "90000 Reboot \"H-0000000100000000\"",
                        "120000 Reboot \"H-0000000100000000\"");
        assertThat(bench.console.schedule().scheduledLines(10)).isEmpty();
    }

    private static List<String> runStorm(String text) throws BadLineException {
        ConsoleHarness bench = new ConsoleHarness();
        bench.console.schedule().start(parse(bench, text));
        bench.runMs(60_000);
        return bench.executedLines;
    }

    @Test
    void theSameSeedGivesTheSameFaults() throws Exception {
        List<String> first = runStorm(STORM);
        assertThat(first)
                .hasSizeBetween(80, 110)
                .anyMatch(line -> line.contains("Unlink"))
                .anyMatch(line -> line.contains("Busy"))
                .anyMatch(line -> line.contains("Reboot"))
                .anyMatch(line -> line.contains("Loss"));
        assertThat(runStorm(STORM)).isEqualTo(first);
        assertThat(runStorm(STORM.replace("seed 7", "seed 8"))).isNotEqualTo(first);
    }

    @Test
    void aFailedCommandDoesNotEndTheScript() throws Exception {
        bench.console.schedule().start(parse(bench, "every 1 s  Unlink " + WEST + "[5]"));
        bench.runMs(3_500);
        assertThat(bench.executedLines).hasSize(3);
        assertThat(bench.expectSuccess("Log")).contains("is not linked");
    }

    @Test
    void noDeviceIsHitIfNoneIsLeft() throws Exception {
        bench.expectSuccess("Off " + MIDDLE);
        bench.console.schedule().start(parse(bench, "1 s  random cable down"));
        bench.runMs(1_000);
        assertThat(bench.expectSuccess("Log")).contains("no device is left");
    }

    @Test
    void stopEndsAllScripts() throws Exception {
        bench.console.schedule().start(parse(bench, STORM));
        bench.expectSuccess("Stop");
        bench.runMs(60_000);
        assertThat(bench.executedLines).containsExactly("0 Stop");
    }

    @Test
    void runsOnlySoManyScripts() throws Exception {
        FaultScript script = parse(bench, "1 h  Heal");
        for (int i = 0; i < 16; i++) {
            bench.console.schedule().start(script);
        }
        assertThatThrownBy(() -> bench.console.schedule().start(script)).hasMessageContaining("Stop ends all");
    }

    @Test
    void badLinesAreNamedWithFileLineAndRemedy() {
        String text = """
                seed 1
                10 s  Unlink "S-0000000000200000"[5]
                10 parsecs  Unlink "S-0000000000200000"[5]
                after 10 s
                until 10 s  Heal
                every 30 s random moon down
                probability 2  Heal
                every 0.1 ms  Heal
                5 s  Unlink "S-1"[5]
                random cable Busy
                """;
        assertThatThrownBy(() -> parse(bench, text))
                .isInstanceOf(BadLineException.class)
                .satisfies(e -> assertThat(
                                String.valueOf(e.getMessage()).lines().toList())
                        .hasSize(8)
                        .allMatch(line -> line.matches("test\\.faults:\\d+: .*"))
                        .anyMatch(line -> line.startsWith("test.faults:3: command '10' unknown"))
                        .anyMatch(line -> line.startsWith("test.faults:4: nothing is done"))
                        .anyMatch(line -> line.startsWith("test.faults:5: until needs every"))
                        .anyMatch(line -> line.startsWith("test.faults:6: there is no random moon"))
                        .anyMatch(line -> line.startsWith("test.faults:7: 2 is no probability"))
                        .anyMatch(line -> line.startsWith("test.faults:8: every 0.1 ms is too often"))
                        .anyMatch(line -> line.startsWith("test.faults:9: nodeid \"S-1\""))
                        .anyMatch(line -> line.startsWith("test.faults:10: ") && line.contains("names a port")));
        assertThat(bench.console.faults().activeFaults()).isEmpty();
    }
}
