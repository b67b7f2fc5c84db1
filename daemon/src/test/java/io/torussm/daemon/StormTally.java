package io.torussm.daemon;

/** The counts of events in a storm, or in many. */
final class StormTally implements Tally<StormTally> {
    int events;
    int losses;
    int deaths;
    int ends;
    int failovers;
    int sweeps;
    int refusals;
    int failedSweeps;
    int looks;
    int glances;
    int lulls;
    int refusedLulls;
    long refusedPaths;
    long noise;
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
