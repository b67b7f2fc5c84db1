package io.torussm.sweep.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.stage.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The log line of a sweep report: counts, seconds by phase, and the time from the first report to the last table. */
class SweepReportTest {
    private static String line(Map<Phase, Long> phaseNs, long reactionNs) {
        return line(phaseNs, reactionNs, MissingParts.NONE);
    }

    private static String line(Map<Phase, Long> phaseNs, long reactionNs, MissingParts missing) {
        return new SweepReport(7, 30, 31, 90, new SweepWork(1980, 180, 3067), "", phaseNs, reactionNs, List.of())
                .line(missing);
    }

    @Test
    void saysSecondsWithThreeDecimals() {
        assertThat(line(
                        Map.of(Phase.DISCOVER, 129_500_000L, Phase.ROUTE, 64_499_999L, Phase.PROGRAM, 12_000_000_000L),
                        -1))
                .isEqualTo(
                        "30 switches, 31 host ports, 90 links; 1980 table blocks written, 180 ports activated, 3067 SMPs; "
                                + "discover 0.130 s, route 0.064 s, program 12.000 s");
    }

    @Test
    void saysHowSoonTablesWereInPlace() {
        assertThat(line(Map.of(), 1_234_567_890L)).endsWith("; tables in place 1.235 s after the first report");
    }

    /** Virtual time has none, and others are noise. */
    @Test
    void timesBelowAMillisecondAreLeftOut() {
        assertThat(line(Map.of(Phase.DISCOVER, 999_999L, Phase.ROUTE, 0L), 0))
                .isEqualTo(
                        "30 switches, 31 host ports, 90 links; 1980 table blocks written, 180 ports activated, 3067 SMPs");
        assertThat(line(Map.of(Phase.ROUTE, 1_000_000L), 1_000_000))
                .endsWith("3067 SMPs; route 0.001 s; tables in place 0.001 s after the first report");
    }

    @Test
    void oneTableAndOnePortAreSingular() {
        assertThat(new SweepReport(
                                7,
                                30,
                                31,
                                90,
                                new SweepWork(1, 1, 1),
                                "LID 3 added in 7 switches",
                                Map.of(),
                                -1,
                                List.of())
                        .line(MissingParts.NONE))
                .endsWith(" links; 1 table block written, 1 port activated, 1 SMP; LID 3 added in 7 switches");
    }

    @Test
    void countsWithMissingPartsHaveTheWholeNumber() {
        assertThat(line(Map.of(), -1, new MissingParts(0, 0, 1, 1)))
                .startsWith("30 switches, 31 host ports, 90 of 91 links;");
        assertThat(line(Map.of(), -1, new MissingParts(1, 2, 6, 4)))
                .startsWith("30 of 31 switches, 31 of 33 host ports, 90 of 96 links;");
    }
}
