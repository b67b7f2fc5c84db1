package io.torussm.sweep.state;

import io.torussm.fabric.Fabric;
import io.torussm.stage.Phase;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The report of a heavy sweep, for the log.
 *
 * @param sweep number of the sweep, from 1
 * @param switches switches found
 * @param endports CA and router ports found
 * @param links cables found
 * @param work numbers of writes and SMPs
 * @param lidChanges LIDs for which switches got or lost entries, as words; empty if there are none
 * @param phaseNs nanoseconds by phase, without skipped phases
 * @param reactionNs time from the first report (trap 128) of the change that caused this sweep to the last
 * confirmed table on which packets depend; negative if no report caused it
 * @param errors texts of the first few failed writes
 */
public record SweepReport(
        long sweep,
        int switches,
        int endports,
        int links,
        SweepWork work,
        String lidChanges,
        Map<Phase, Long> phaseNs,
        long reactionNs,
        List<String> errors) {
    private static final int NS_DECIMALS = 9;
    private static final int DECIMALS = 3;

    /** The shortest time that has a place in the line. */
    private static final long SHORTEST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Counts the parts of a fabric, and adds the work. */
    public static SweepReport of(
            long sweep,
            Fabric fabric,
            SweepWork work,
            String lidChanges,
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
                sweep, fabric.switchCount(), endports, links, work, lidChanges, phaseNs, reactionNs, errors);
    }

    /**
     * Returns counts, changed LIDs and times by phase as a line of text, with the reaction time if a report caused the
     * sweep. Times below a millisecond are left out.
     *
     * @param missing known parts that are absent; a count with missing parts has the whole number, too
     */
    public String line(MissingParts missing) {
        String phases = Stream.of(Phase.DISCOVER, Phase.ROUTE, Phase.PROGRAM, Phase.ACTIVATE)
                .filter(phase -> phaseNs.getOrDefault(phase, 0L) >= SHORTEST_NS)
                .map(phase ->
                        phase.name().toLowerCase(Locale.ROOT) + " " + seconds(phaseNs.getOrDefault(phase, 0L)) + " s")
                .collect(Collectors.joining(", "));
        return count(switches, missing.switches()) + " switches, " + count(endports, missing.endports())
                + " host ports, " + count(links, missing.links()) + " links; " + work
                + (lidChanges.isEmpty() ? "" : "; " + lidChanges)
                + (phases.isEmpty() ? "" : "; " + phases)
                + (reactionNs < SHORTEST_NS
                        ? ""
                        : "; tables in place " + seconds(reactionNs) + " s after the first report");
    }

    /** Checks whether the sweep has read devices. Otherwise it has only computed routes again for a known fabric. */
    public boolean hasReadDevices() {
        return phaseNs.containsKey(Phase.DISCOVER);
    }

    private static String count(int present, int missing) {
        return missing == 0 ? Integer.toString(present) : present + " of " + (present + missing);
    }

    /** Returns seconds with three decimals. A formatter would load locale data on first use. */
    private static String seconds(long ns) {
        return BigDecimal.valueOf(ns, NS_DECIMALS)
                .setScale(DECIMALS, RoundingMode.HALF_UP)
                .toPlainString();
    }
}
