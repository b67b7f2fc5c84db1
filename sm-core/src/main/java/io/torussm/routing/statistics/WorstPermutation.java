package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The exact worst permutation of hosts for a plan. Each host sends at the full rate of its cable to one
 * other, and each is the destination of one at most. For each cable, the permutation with the highest load is
 * a heaviest matching of sources to destinations, by the share of their traffic that uses the cable (Towles
 * and Dally, Worst-case traffic for oblivious routing functions, SPAA 2002).
 *
 * <p>A host divides its traffic equally over as many pairs of LIDs as all ports have. Its LID at a distance
 * from the base LID sends to the destination's LID at the same distance, as PathRecords pair them.
 *
 * @param lids number of LIDs of each port among which traffic is divided
 * @param load load of the busiest cable, as a multiple of the rate of a host's cable
 * @param port the port index by which packets leave for that cable
 * @param destinations by end, in the order of {@link PathEnds#ports}: number of the end that it sends to; -1
 *     if it does not affect the load
 * @param allToAll by port index: load in pairs that leave by it if all send to all, divided equally over
 *     their LIDs
 */
public record WorstPermutation(int lids, double load, int port, int[] destinations, double[] allToAll) {

    /**
     * Returns the worst permutation. Takes ends * ends * hops of memory, and up to the cube of the ends for
     * each cable.
     *
     * @param ends end ports, at least two
     */
    public static WorstPermutation of(Plan plan, PathEnds ends) {
        Subnet subnet = plan.subnet();
        int lids = 1 << IntStream.of(ends.ports()).map(subnet::lmc).min().orElse(0);
        Crossings crossings = new Crossings(plan, ends, lids);
        double[] allToAll = IntStream.range(0, crossings.counts.length)
                .mapToDouble(port -> (double) crossings.counts[port] / lids)
                .toArray();
        long max = 0;
        Matching worst = new Matching(0, new int[ends.ports().length]);
        Arrays.fill(worst.destinations, -1);
        int at = 0;
        for (int port = 0; port < crossings.counts.length; port++) {
            if (crossings.counts[port] > max) {
                Matching matching = crossings.heaviest(port, max);
                if (matching.weight > max) {
                    max = matching.weight;
                    worst = matching;
                    at = port;
                }
            }
        }
        return new WorstPermutation(lids, (double) max / lids, at, worst.destinations, allToAll);
    }

    private record Matching(long weight, int[] destinations) {}

    /** The pairs of LIDs that use each cable. */
    private static final class Crossings {
        /** By port index: pairs of LIDs that leave by it. */
        final int[] counts;

        private final int ends;

        /** By port index: source * ends + destination, once for each pair of LIDs. */
        private final int[][] pairs;

        Crossings(Plan plan, PathEnds ends, int lids) {
            Fabric fabric = plan.subnet().fabric();
            int[] ports = ends.ports();
            this.ends = ports.length;
            counts = new int[fabric.portCount()];
            pairs = new int[fabric.portCount()][0];
            PathTree tree = new PathTree(plan);
            for (int to = 0; to < ports.length; to++) {
                for (int offset = 0; offset < lids; offset++) {
                    tree.towards(ends.lid(ports[to]) + offset);
                    for (int from = 0; from < ports.length; from++) {
                        int sw = ends.switchOf(ports[from]);
                        for (int left = tree.hops(sw); left > 0; left--) {
                            add(fabric.port(sw, tree.out(sw)), from * ports.length + to);
                            sw = tree.next(sw);
                        }
                    }
                }
            }
        }

        private void add(int port, int pair) {
            if (counts[port] == pairs[port].length) {
                pairs[port] = Arrays.copyOf(pairs[port], 16 + 2 * counts[port]);
            }
            pairs[port][counts[port]++] = pair;
        }

        /** Returns the heaviest matching over a cable; any matching if none is heavier than the known one. */
        Matching heaviest(int port, long known) {
            int[] all = Arrays.copyOf(pairs[port], counts[port]);
            int[] sources =
                    IntStream.of(all).map(pair -> pair / ends).distinct().toArray();
            int[] targets =
                    IntStream.of(all).map(pair -> pair % ends).distinct().toArray();
            boolean isTurned = sources.length > targets.length;
            int[] rows = isTurned ? targets : sources;
            int[] columns = isTurned ? sources : targets;
            int[] row = numbers(rows);
            int[] column = numbers(columns);
            int[][] weights = new int[rows.length][columns.length];
            for (int pair : all) {
                int from = pair / ends;
                int to = pair % ends;
                weights[row[isTurned ? to : from]][column[isTurned ? from : to]]++;
            }
            int[] destinations = new int[ends];
            Arrays.fill(destinations, -1);
            if (atMost(weights) <= known) {
                return new Matching(0, destinations);
            }
            long weight = 0;
            int[] matched = HeaviestMatching.heaviest(weights);
            for (int i = 0; i < rows.length; i++) {
                int share = weights[i][matched[i]];
                weight += share;
                if (share > 0) {
                    destinations[isTurned ? columns[matched[i]] : rows[i]] = isTurned ? rows[i] : columns[matched[i]];
                }
            }
            return new Matching(weight, destinations);
        }

        private int[] numbers(int[] chosen) {
            int[] number = new int[ends];
            for (int i = 0; i < chosen.length; i++) {
                number[chosen[i]] = i;
            }
            return number;
        }

        private static long atMost(int[][] weights) {
            return Arrays.stream(weights)
                    .mapToLong(each -> IntStream.of(each).max().orElse(0))
                    .sum();
        }
    }
}
