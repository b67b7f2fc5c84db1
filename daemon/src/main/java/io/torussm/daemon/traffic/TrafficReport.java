package io.torussm.daemon.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The outcome of a simulation.
 *
 * @param pattern pairs of sources and destinations
 * @param sls the hosts' choice of SLs
 * @param hosts number of sources
 * @param runs by load, ascending
 * @param links directions of cables between switches, at the highest load; the busiest first
 * @param packetHops packets that left a port, in all runs, warm-up included
 */
public record TrafficReport(
        String engine, String pattern, String sls, int hosts, List<LoadResult> runs, List<Link> links, long packetHops)
        implements TrafficResult {
    /** A load is carried if so much of it arrives. */
    private static final double CARRIED = 0.97;

    private static final int LISTED = 5;

    /**
     * A run.
     *
     * @param load offered load, as a share of the rate of hosts' cables
     * @param accepted throughput, as a share of the same
     * @param meanNs latency from the planned time of sending until arrival, on average
     * @param medianNs the median of the same
     * @param p99Ns the 99th percentile of the same
     * @param busiest share of the time in which the busiest cable between switches was sending
     * @param dropped packets that were lost, including packets without a path
     * @param hangs deadlocked ports with their dependencies; empty without a deadlock
     * @param hangAtNs time when the deadlock was noticed; 0 without one
     */
    public record LoadResult(
            double load,
            double accepted,
            double meanNs,
            long medianNs,
            long p99Ns,
            double busiest,
            long dropped,
            List<String> hangs,
            long hangAtNs) {
        /** Checks whether packets were in a deadlock. */
        public boolean isHung() {
            return !hangs.isEmpty();
        }
    }

    /**
     * A cable in one direction.
     *
     * @param from the port that it leaves: GUID, name and port of the switch
     * @param to the port that it enters
     * @param ends both ports with the places of the switches, or else their names
     * @param direction such as {@code +x}; empty if the switch has no place in a torus
     * @param place place of the switch that it leaves: x, y and z; empty likewise
     * @param film how busy it was from the start, warm-up included, to the end or until everything hangs: a
     *     digit for each part of that time, 0 to 9
     */
    public record Link(
            String from, String to, String ends, double busy, String direction, List<Integer> place, String film) {
        public Link {
            place = List.copyOf(place);
        }
    }

    public TrafficReport {
        runs = List.copyOf(runs);
        links = List.copyOf(links);
    }

    /** Checks whether packets were in a deadlock in any run. */
    public boolean isHung() {
        return runs.stream().anyMatch(LoadResult::isHung);
    }

    /** Returns the highest load that was carried, 0 if none was. */
    public double saturation() {
        return runs.stream()
                .filter(run -> !run.isHung() && run.accepted >= CARRIED * run.load)
                .mapToDouble(LoadResult::load)
                .max()
                .orElse(0);
    }

    @Override
    public boolean isFailed() {
        return isHung();
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(hosts + " hosts, pattern " + pattern + ", " + sls + ", routed by " + engine);
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%8s%10s%12s%12s%12s%10s%10s",
                "load",
                "accepted",
                "mean us",
                "median us",
                "99 % us",
                "busiest",
                "dropped"));
        for (LoadResult run : runs) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%8.3f%10.3f%12.2f%12.2f%12.2f%10.3f%10d%s",
                    run.load,
                    run.accepted,
                    run.meanNs / 1_000,
                    run.medianNs / 1_000.0,
                    run.p99Ns / 1_000.0,
                    run.busiest,
                    run.dropped,
                    run.isHung() ? "  HANGS" : ""));
        }
        lines.add("");
        runs.stream()
                .filter(LoadResult::isHung)
                .findFirst()
                .ifPresentOrElse(run -> hang(run, lines), () -> calm(lines));
        return lines;
    }

    private static void hang(LoadResult run, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "deadlock at load %.3f, noticed after %.0f us: these wait for each other for ever",
                run.load,
                run.hangAtNs / 1_000.0));
        run.hangs.forEach(line -> lines.add("  " + line));
    }

    private void calm(List<String> lines) {
        lines.add(String.format(Locale.ROOT, "no deadlock; loads up to %.3f are carried", saturation()));
        if (!links.isEmpty()) {
            lines.add("busiest at the highest load:");
        }
        links.stream()
                .limit(LISTED)
                .forEach(link -> lines.add(String.format(Locale.ROOT, "  %.3f  %s", link.busy, link.ends)));
    }
}
