package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.statistics.WorstPermutation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The load of the busiest cable if each host sends to one other, in the worst case.
 *
 * @param lids LIDs of each port, among which traffic is divided
 * @param load load of that cable in the worst permutation, as a multiple of the rate of a host's cable
 * @param from the port by which packets leave for it
 * @param to the port at its other end
 * @param pairs sources and destinations that load it
 * @param allToAllMean mean number of paths over a cable one way if all hosts send to all, to each LID in turn
 * @param allToAllMax paths over the busiest cable
 */
public record WorstCase(
        int lids, double load, String from, String to, List<Pair> pairs, double allToAllMean, double allToAllMax) {
    /** Ports for which it is computed: within seconds for so many. */
    public static final int MAX_HOSTS = 256;

    /** A host and the one that it sends to. */
    public record Pair(String source, String destination) {}

    /**
     * Computes it.
     *
     * @throws IllegalArgumentException if there are more than {@link #MAX_HOSTS} ports of hosts, or no cables to load
     */
    public static WorstCase of(Plan plan) {
        PathEnds ends = new PathEnds(plan.subnet());
        int[] ports = ends.ports();
        if (ports.length > MAX_HOSTS) {
            throw new IllegalArgumentException("the worst permutation is computed for up to " + MAX_HOSTS
                    + " ports of hosts, and there are " + ports.length
                    + "; plan a smaller fabric of the same shape, such as"
                    + " with hosts=1");
        }
        Fabric fabric = plan.subnet().fabric();
        WorstPermutation worst = fabric.switchCount() == 0 ? null : WorstPermutation.of(plan, ends);
        if (worst == null || worst.load() == 0) {
            throw new IllegalArgumentException(
                    "no path leads over a cable between switches, so there is no worst permutation");
        }
        double[] loads = IntStream.range(0, fabric.portCount())
                .filter(port -> FabricReport.joinsSwitches(fabric, port))
                .mapToDouble(port -> worst.allToAll()[port])
                .toArray();
        return new WorstCase(
                worst.lids(),
                worst.load(),
                Failure.end(plan, worst.port()),
                Failure.end(plan, fabric.peer(worst.port())),
                IntStream.range(0, ports.length)
                        .filter(end -> worst.destinations()[end] >= 0)
                        .mapToObj(end -> new Pair(ends.name(ports[end]), ends.name(ports[worst.destinations()[end]])))
                        .toList(),
                Arrays.stream(loads).average().orElse(0),
                Arrays.stream(loads).max().orElse(0));
    }

    /** Returns the lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "worst permutation: %.2f times the rate of a host, over %s to %s", load, from, to));
        pairs.forEach(pair -> lines.add("  " + pair.source + " to " + pair.destination));
        lines.add(String.format(
                Locale.ROOT,
                "all-to-all by turns to each of %d LIDs, paths over a cable: mean %.1f, max %.1f",
                lids,
                allToAllMean,
                allToAllMax));
        return lines;
    }
}
