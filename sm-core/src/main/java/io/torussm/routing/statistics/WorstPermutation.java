package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The exact worst permutation of hosts for a plan. Each host sends at the full rate of its cable to one other
 * host, and each host is the destination of at most one host. For each cable, the permutation with the highest
 * load is a heaviest matching of sources to destinations. The weight of a pair is the share of its traffic that
 * uses the cable (Towles and Dally, "Worst-case traffic for oblivious routing functions", SPAA 2002).
 *
 * <p>A host divides its traffic equally over its LIDs (the minimum over all ports). A LID at a distance from its
 * base LID sends to the LID of the destination at the same distance, as PathRecords pair LIDs.
 *
 * @param lids number of LIDs of each port among which traffic is divided
 * @param load load of the busiest cable, as a multiple of the rate of a host's cable
 * @param port index of the output port to that cable
 * @param destinations index of the destination end by index of the source end, both in {@link PathEnds#ports};
 *     -1 for a source that does not affect the load
 * @param allToAll load by output port if all ends send to all ends, in pairs of ends, divided equally over their
 *     LIDs
 */
public record WorstPermutation(int lids, double load, int port, int[] destinations, double[] allToAll) {

    /**
     * Returns the worst permutation. The memory is ends * ends * hops. The time is up to the cube of the number of
     * ends for each cable.
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
        int maxPort = 0;
        for (int port = 0; port < crossings.counts.length; port++) {
            if (crossings.counts[port] > max) {
                Matching matching = crossings.heaviest(port, max);
                if (matching.weight > max) {
                    max = matching.weight;
                    worst = matching;
                    maxPort = port;
                }
            }
        }
        return new WorstPermutation(lids, (double) max / lids, maxPort, worst.destinations, allToAll);
    }

    /** A permutation for one cable, with its weight in pairs of LIDs. */
    private record Matching(long weight, int[] destinations) {}

    /** The pairs of LIDs that use each cable. */
    private static final class Crossings {
        /** By output port: the number of pairs of LIDs that use it. */
        final int[] counts;

        private final int ends;

        /**
         * {@code [output port]}: {@code source * ends + destination}, once for each pair of LIDs that uses the port.
         */
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
                    tree.followTo(ends.lid(ports[to]) + offset);
                    for (int from = 0; from < ports.length; from++) {
                        int sw = ends.switchOf(ports[from]);
                        for (int remaining = tree.hops(sw); remaining > 0; remaining--) {
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

        /**
         * Returns the heaviest matching for the cable at a port. If no matching can be heavier than {@code known},
         * returns a matching of weight 0.
         */
        Matching heaviest(int port, long known) {
            int[] allPairs = Arrays.copyOf(pairs[port], counts[port]);
            int[] sources =
                    IntStream.of(allPairs).map(pair -> pair / ends).distinct().toArray();
            int[] targets =
                    IntStream.of(allPairs).map(pair -> pair % ends).distinct().toArray();
            boolean isTransposed = sources.length > targets.length;
            int[] rows = isTransposed ? targets : sources;
            int[] columns = isTransposed ? sources : targets;
            int[] row = numbers(rows);
            int[] column = numbers(columns);
            int[][] weights = new int[rows.length][columns.length];
            for (int pair : allPairs) {
                int from = pair / ends;
                int to = pair % ends;
                weights[row[isTransposed ? to : from]][column[isTransposed ? from : to]]++;
            }
            int[] destinations = new int[ends];
            Arrays.fill(destinations, -1);
            if (upperBound(weights) <= known) {
                return new Matching(0, destinations);
            }
            long weight = 0;
            int[] matched = HeaviestMatching.heaviest(weights);
            for (int i = 0; i < rows.length; i++) {
                int share = weights[i][matched[i]];
                weight += share;
                if (share > 0) {
                    destinations[isTransposed ? columns[matched[i]] : rows[i]] =
                            isTransposed ? rows[i] : columns[matched[i]];
                }
            }
            return new Matching(weight, destinations);
        }

        /** Returns the index in {@code chosen} by end. */
        private int[] numbers(int[] chosen) {
            int[] number = new int[ends];
            for (int i = 0; i < chosen.length; i++) {
                number[chosen[i]] = i;
            }
            return number;
        }

        /** Returns an upper bound for the weight of a matching: the sum of the maximum of each row. */
        private static long upperBound(int[][] weights) {
            return Arrays.stream(weights)
                    .mapToLong(row -> IntStream.of(row).max().orElse(0))
                    .sum();
        }
    }
}
