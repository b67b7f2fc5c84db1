package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.stage.Phase;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;

/**
 * What a heavy sweep did, for the log.
 *
 * @param sweep number of the sweep, from 1
 * @param switches switches found
 * @param endports CA and router ports found
 * @param links cables found
 * @param smpsSent SMPs sent, retries included
 * @param written table entries written: LFT, multicast and P_Key blocks, SL2VL rows, VL arbitration parts, SwitchInfo
 * @param activated ports that became ACTIVE
 * @param phaseNs nanoseconds by phase; those that were left out are missing
 * @param reactionNs from the first report of a change that made this sweep necessary (trap 128) to the last table that was confirmed
 *     and that packets depend on; negative if it was not made because of one
 * @param errors writes that failed, the first few in words
 */
public record SweepReport(
        long sweep,
        int switches,
        int endports,
        int links,
        long smpsSent,
        long written,
        int activated,
        Map<Phase, Long> phaseNs,
        long reactionNs,
        List<String> errors) {
    private static final int NS_DECIMALS = 9;
    private static final int DECIMALS = 3;

    /** Counts what a fabric has, and adds what was done. */
    static SweepReport of(
            long sweep,
            Fabric fabric,
            long smpsSent,
            long written,
            int activated,
            Map<Phase, Long> phaseNs,
            long reactionNs,
            List<String> errors) {
        int endports = 0;
        int links = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = !fabric.isSwitch(fabric.nodeOf(port));
            endports += isHost && fabric.isEndport(port) ? 1 : 0;
            links += fabric.peer(port) > port ? 1 : 0;
        }
        return new SweepReport(
                sweep,
                fabric.switchCount(),
                endports,
                links,
                smpsSent,
                written,
                activated,
                phaseNs,
                reactionNs,
                errors);
    }

    /** One line: counts and times by phase; and how soon tables were in place, if it was a report that called for them. */
    public String line() {
        return switches + " switches, " + endports + " host ports, " + links + " links; " + written
                + " tables written, "
                + activated + " ports activated, " + smpsSent + " SMPs; discover " + seconds(Phase.DISCOVER)
                + " s, route "
                + seconds(Phase.ROUTE) + " s, program " + seconds(Phase.PROGRAM) + " s, activate "
                + seconds(Phase.ACTIVATE) + " s"
                + (reactionNs < 0 ? "" : "; tables in place " + seconds(reactionNs) + " s after the first report");
    }

    private String seconds(Phase phase) {
        return seconds(phaseNs.getOrDefault(phase, 0L));
    }

    /** With three decimals. Without a formatter, whose first use reads what it knows of languages. */
    private static String seconds(long ns) {
        return BigDecimal.valueOf(ns, NS_DECIMALS)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
