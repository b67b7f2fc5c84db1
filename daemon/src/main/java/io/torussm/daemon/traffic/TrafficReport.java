package io.torussm.daemon.traffic;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The outcome of a simulation.
 *
 * @param engine name of the engine or of the dump
 * @param pattern pattern of the traffic, in words
 * @param sls choice of SLs by the hosts, in words
 * @param hosts number of sources
 * @param runs runs in the order of their load, ascending
 * @param links directions of cables between switches in the run with the highest load, the busiest first
 * @param packetHops number of packets that left a port, in all runs, including warm-up
 */
public record TrafficReport(
        String engine, String pattern, String sls, int hosts, List<LoadResult> runs, List<Link> links, long packetHops)
        implements TrafficResult {
    /** Share of the offered load that must arrive, so that the load counts as carried. */
    private static final double MIN_CARRIED_SHARE = 0.97;

    private static final int MAX_LISTED = 5;

    /**
     * A run.
     *
     * @param load offered load, as a share of the rate of hosts' cables
     * @param accepted throughput, as a share of the rate of hosts' cables
     * @param meanNs mean latency from the planned time of sending to arrival, in ns
     * @param medianNs median of that latency, in ns
     * @param p99Ns 99th percentile of that latency, in ns
     * @param busiest utilisation of the busiest cable between switches, 0 to 1
     * @param dropped number of lost packets, including packets without a path
     * @param hangs deadlocked ports with their dependencies; empty without a deadlock
     * @param hangAtNs time when the deadlock was noticed, in ns; 0 without a deadlock
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
     * @param from port by which packets enter the cable: GUID, name and port of the switch
     * @param to port at the other end
     * @param ends both ports, with the coordinates of the switches or else with their names
     * @param busy utilisation, 0 to 1
     * @param direction direction such as {@code +x}; empty if the switch has no coordinates in a torus
     * @param place x, y and z of the switch at {@code from}; empty if it has no coordinates in a torus
     * @param film utilisation in equal parts of the run, including warm-up, up to a deadlock: a digit for each part, 0
     *     (idle) to 9
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

    /** Returns the highest load that was carried; 0 if no load was carried. */
    public double saturation() {
        return runs.stream()
                .filter(run -> !run.isHung() && run.accepted >= MIN_CARRIED_SHARE * run.load)
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
                .ifPresentOrElse(run -> addHangLines(run, lines), () -> addDeadlockFreeLines(lines));
        return lines;
    }

    private static void addHangLines(LoadResult run, List<String> lines) {
        lines.add(String.format(
                Locale.ROOT,
                "deadlock at load %.3f, noticed after %.0f us: these wait for each other for ever",
                run.load,
                run.hangAtNs / 1_000.0));
        run.hangs.forEach(line -> lines.add("  " + line));
    }

    private void addDeadlockFreeLines(List<String> lines) {
        lines.add(String.format(Locale.ROOT, "no deadlock; loads up to %.3f are carried", saturation()));
        if (!links.isEmpty()) {
            lines.add("busiest at the highest load:");
        }
        links.stream()
                .limit(MAX_LISTED)
                .forEach(link -> lines.add(String.format(Locale.ROOT, "  %.3f  %s", link.busy, link.ends)));
    }
}
