package io.torussm.daemon;

/** The counts of a storm, or of many. */
final class StormTally implements Tally<StormTally> {
    /** Faults and other changes of the fabric and its SMs. */
    int events;

    /** Events of an SM that report a loss. */
    int losses;

    /** SMs that were killed, SMs that ended in order, and standbys that became master. */
    int deaths;

    int ends;
    int failovers;

    /** Sweeps by outcome: the subnet is up, the routes were refused, the sweep failed. */
    int sweeps;

    int refusals;
    int failedSweeps;

    /** Inspections of the fabric at rest, and while tables were being written. */
    int looks;

    int glances;

    /** Lulls, those at whose end routes were refused, and the paths that were granted in these. */
    int lulls;

    int refusedLulls;
    long refusedPaths;

    /** Hostile MADs. */
    long noise;

    /** Time from the beginning of a lull until the SM is at rest: the longest, and the sum. */
    long worstNs;

    long sumNs;

    @Override
    public void add(StormTally other) {
        events += other.events;
        losses += other.losses;
        deaths += other.deaths;
        ends += other.ends;
        failovers += other.failovers;
        sweeps += other.sweeps;
        refusals += other.refusals;
        failedSweeps += other.failedSweeps;
        looks += other.looks;
        glances += other.glances;
        lulls += other.lulls;
        refusedLulls += other.refusedLulls;
        refusedPaths += other.refusedPaths;
        noise += other.noise;
        worstNs = Math.max(worstNs, other.worstNs);
        sumNs += other.sumNs;
    }

    @Override
    public String toString() {
        return String.format(
                "%d events, %d events of losses, %d deaths and %d ends of the SM, %d failovers, %d sweeps went well, %d were refused, %d failed;"
                        + " looked at %d times, and %d times while tables were written; %d hostile MADs; %d lulls,"
                        + " of these %d refused with %d paths: at rest after %.1f s at most, %.1f s on average",
                events,
                losses,
                deaths,
                ends,
                failovers,
                sweeps,
                refusals,
                failedSweeps,
                looks,
                glances,
                noise,
                lulls,
                refusedLulls,
                refusedPaths,
                worstNs / 1e9,
                sumNs / 1e9 / Math.max(1, lulls - refusedLulls));
    }
}
