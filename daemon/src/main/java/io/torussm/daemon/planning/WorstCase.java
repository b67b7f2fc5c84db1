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
 * @param lids number of LIDs of each port, among which traffic is divided
 * @param load load of the busiest cable in the worst permutation, as a multiple of the rate of a host's cable
 * @param from name of the port by which packets enter that cable
 * @param to name of the port at its other end
 * @param pairs pairs of hosts that load that cable
 * @param allToAllMean mean number of paths over a cable, one way, if all hosts send to all others, to each LID in turn
 * @param allToAllMax number of paths over the busiest cable in that case
 */
public record WorstCase(
        int lids, double load, String from, String to, List<Pair> pairs, double allToAllMean, double allToAllMax) {
    /** Max number of ports of hosts. For this number the computation takes seconds. */
    public static final int MAX_HOSTS = 256;

    /** A host, and the host to which it sends. */
    public record Pair(String source, String destination) {}

    /**
     * Returns the worst case of a plan.
     *
     * @throws IllegalArgumentException if the fabric has more than {@link #MAX_HOSTS} ports of hosts, or no path leads
     *     over a cable between switches
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
                Failure.portName(plan, worst.port()),
                Failure.portName(plan, fabric.peer(worst.port())),
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
