package io.torussm.sweep.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.stage.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The log line of a sweep report: counts, seconds by phase, and the time from the first report to the last table. */
class SweepReportTest {
    private static String line(Map<Phase, Long> phaseNs, long reactionNs) {
        return new SweepReport(7, 30, 31, 90, 3067, 1980, 180, phaseNs, reactionNs, List.of()).line();
    }

    @Test
    void saysSecondsWithThreeDecimals() {
        assertThat(line(
                        Map.of(Phase.DISCOVER, 129_500_000L, Phase.ROUTE, 64_499_999L, Phase.PROGRAM, 12_000_000_000L),
                        -1))
                .isEqualTo("30 switches, 31 host ports, 90 links; 1980 tables written, 180 ports activated, 3067 SMPs; "
                        + "discover 0.130 s, route 0.064 s, program 12.000 s, activate 0.000 s");
    }

    @Test
    void saysHowSoonTablesWereInPlace() {
        assertThat(line(Map.of(), 1_234_567_890L)).endsWith("; tables in place 1.235 s after the first report");
    }
}
