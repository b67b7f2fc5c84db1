package io.torussm.tree;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A proposal of levels, with measures of its agreement with cables and hosts.
 *
 * @param levels level by switch; {@link FabricTree#NO_LEVEL} if no cable connects the switch to the tree
 * @param wrongShare share of cables between switches that do not join neighbouring levels, 0 to 1
 * @param hostsAboveShare share of hosts on switches above level 0, 0 to 1
 */
record TreeLevels(int[] levels, double wrongShare, double hostsAboveShare) {
    /** Maximum number of rounds of votes. */
    private static final int ROUNDS = 6;

    /** The minimum shares of hosts that are equally far from a root; they are tried in this order. */
    private static final double[] MIN_HOST_SHARES = {0.9, 0.75, 0.55};

    /** The maximum share of wrong cables of a tree. */
    private static final double MAX_WRONG_SHARE = 0.2;

    /** The maximum share of hosts above the leaves of a tree. */
    private static final double MAX_ABOVE_SHARE = 0.34;

    /**
     * The share of additional wrong cables that is accepted for a proposal from a better source, such as named
     * roots.
     */
    private static final double PREFERENCE_MARGIN = 0.05;

    /** The maximum number of steps over cables in the search for tops, about 0.2 s. */
    private static final long MAX_STEPS = 50_000_000;

    /** Checks whether cables and hosts agree well enough for a tree. */
    boolean isTree() {
        return wrongShare <= MAX_WRONG_SHARE && hostsAboveShare <= MAX_ABOVE_SHARE;
    }

    /**
     * Returns the best proposal: from known levels, from the roots, from the switches equally far from most hosts,
     * or from the hosts.
     *
     * @param roots switches at the top by the operator; may be empty
     * @param known levels by node GUID, from a time when the tree was complete; may be empty
     */
    static TreeLevels best(SwitchGraph graph, BitSet roots, Map<Long, Integer> known) {
        if (!known.isEmpty()) {
            TreeLevels loyal = proposal(graph, fromKnown(graph, fromHosts(graph, 1), known));
            if (loyal.isTree() && loyal.wrongShare <= PREFERENCE_MARGIN) {
                return loyal;
            }
        }
        TreeLevels hosts = better(
                proposal(graph, fromHosts(graph, graph.maxHosts() / 2 + 1)), proposal(graph, fromHosts(graph, 1)), 0);
        BitSet tops = tops(graph);
        TreeLevels unnamed =
                tops.isEmpty() ? hosts : better(proposal(graph, fromTops(graph, tops)), hosts, PREFERENCE_MARGIN);
        return roots.isEmpty() ? unnamed : better(proposal(graph, fromTops(graph, roots)), unnamed, PREFERENCE_MARGIN);
    }

    /**
     * Returns the first of two proposals, unless only the second is a tree, or the second has fewer wrong cables by
     * more than a share.
     */
    private static TreeLevels better(TreeLevels first, TreeLevels second, double loyalty) {
        boolean isBetter = first.wrongShare <= second.wrongShare + loyalty;
        return (first.isTree() && (isBetter || !second.isTree())) || (!second.isTree() && isBetter) ? first : second;
    }

    /** Returns the hops by switch from the nearest switch with at least {@code min} hosts. */
    private static int[] fromHosts(SwitchGraph graph, int min) {
        return graph.hops(sw -> graph.hosts[sw] >= min);
    }

    private static int[] fromKnown(SwitchGraph graph, int[] otherwise, Map<Long, Integer> known) {
        return IntStream.range(0, graph.size())
                .map(sw -> {
                    int level = known.getOrDefault(graph.fabric.nodeGuid(sw), FabricTree.NO_LEVEL);
                    return level < 0 || level >= graph.size() ? otherwise[sw] : level;
                })
                .toArray();
    }

    /**
     * Returns the switches that are equally far from most hosts; only those with the smallest such distance. Empty
     * if the search would take too long.
     */
    private static BitSet tops(SwitchGraph graph) {
        int hosts = Arrays.stream(graph.hosts).sum();
        int max = graph.maxHosts();
        BitSet tops = new BitSet();
        int[] distance = new int[graph.size()];
        double[] share = new double[graph.size()];
        int[] poor = IntStream.range(0, graph.size())
                .filter(sw -> 2 * graph.hosts[sw] <= max)
                .toArray();
        if (hosts == 0 || (long) poor.length * graph.cables() > MAX_STEPS) {
            return tops;
        }
        for (int sw : poor) {
            int[] histogram = histogram(graph, graph.hops(start -> start == sw));
            distance[sw] = highest(histogram);
            share[sw] = (double) histogram[distance[sw]] / hosts;
        }
        for (int i = 0; i < MIN_HOST_SHARES.length && tops.isEmpty(); i++) {
            double minShare = MIN_HOST_SHARES[i];
            IntPredicate isLikeATop = sw -> distance[sw] > 0 && share[sw] >= minShare;
            int nearest = IntStream.range(0, graph.size())
                    .filter(isLikeATop)
                    .map(sw -> distance[sw])
                    .min()
                    .orElse(0);
            IntStream.range(0, graph.size())
                    .filter(isLikeATop)
                    .filter(sw -> distance[sw] == nearest)
                    .forEach(tops::set);
        }
        return tops;
    }

    /** Returns the number of hosts by hops. */
    private static int[] histogram(SwitchGraph graph, int[] hops) {
        int[] histogram = new int[graph.size() + 1];
        for (int sw = 0; sw < hops.length; sw++) {
            if (hops[sw] != SwitchGraph.UNREACHABLE) {
                histogram[hops[sw]] += graph.hosts[sw];
            }
        }
        return histogram;
    }

    private static int highest(int[] histogram) {
        return IntStream.range(0, histogram.length)
                .reduce(0, (best, at) -> histogram[at] > histogram[best] ? at : best);
    }

    /**
     * Returns levels by hops from the top. A switch without hosts may be a root that is not among the tops, or a
     * leaf without hosts. It gets the level of the switches that have the most neighbours in common with it.
     */
    private static int[] fromTops(SwitchGraph graph, BitSet tops) {
        int[] down = graph.hops(tops::get);
        int height = highest(histogram(graph, down));
        int[] up = graph.hops(sw -> graph.hosts[sw] > 0 && down[sw] == height);
        int[] levels = new int[graph.size()];
        for (int sw = 0; sw < levels.length; sw++) {
            int fromTop = down[sw] == SwitchGraph.UNREACHABLE ? SwitchGraph.UNREACHABLE : height - down[sw];
            boolean isSure = tops.get(sw) || fromTop == up[sw] || up[sw] > height;
            if (isSure || (fromTop >= 0 && graph.hosts[sw] > 0)) {
                levels[sw] = fromTop == SwitchGraph.UNREACHABLE ? up[sw] : Math.max(0, fromTop);
            } else if (fromTop < 0) {
                levels[sw] = hasHostsAndOneNeighbour(graph, sw) ? 0 : up[sw];
            } else {
                levels[sw] = maxCommonNeighbours(graph, sw, tops::get)
                                >= maxCommonNeighbours(graph, sw, leaf -> graph.hosts[leaf] > 0 && down[leaf] == height)
                        ? up[sw]
                        : fromTop;
            }
        }
        return levels;
    }

    /**
     * Returns the maximum number of neighbours that a switch has in common with another switch.
     *
     * @param isOther selects the other switches
     */
    private static int maxCommonNeighbours(SwitchGraph graph, int sw, IntPredicate isOther) {
        int[] common = new int[graph.size()];
        Arrays.stream(graph.peers[sw]).distinct().forEach(next -> Arrays.stream(graph.peers[next])
                .distinct()
                .filter(other -> other != sw && isOther.test(other))
                .forEach(other -> common[other]++));
        return Arrays.stream(common).max().orElse(0);
    }

    /** Returns the proposal after votes: in rounds, each switch moves to the level that fits most of its cables. */
    private static TreeLevels proposal(SwitchGraph graph, int[] first) {
        int[] levels = Arrays.stream(first)
                .map(level -> level == SwitchGraph.UNREACHABLE ? FabricTree.NO_LEVEL : level)
                .toArray();
        boolean isMoved = true;
        for (int round = 0; round < ROUNDS && isMoved; round++) {
            isMoved = false;
            for (int sw = 0; sw < levels.length; sw++) {
                int voted = vote(graph, levels, sw);
                isMoved |= voted != levels[sw];
                levels[sw] = voted;
            }
        }
        return withMeasures(graph, levels);
    }

    /**
     * Returns the level of a switch with which most of its cables join neighbouring levels; its current level if no
     * other is better. A leaf with one neighbour stays a leaf.
     */
    private static int vote(SwitchGraph graph, int[] levels, int sw) {
        if (levels[sw] == 0 && hasHostsAndOneNeighbour(graph, sw)) {
            return 0;
        }
        int highest =
                Arrays.stream(graph.peers[sw]).map(next -> levels[next]).max().orElse(0);
        int[] votes = new int[Math.max(highest, levels[sw]) + 2];
        for (int next : graph.peers[sw]) {
            if (levels[next] != FabricTree.NO_LEVEL) {
                votes[levels[next] + 1]++;
                if (levels[next] > 0) {
                    votes[levels[next] - 1]++;
                }
            }
        }
        int max = Arrays.stream(votes).max().orElse(0);
        if (max == 0 || (levels[sw] != FabricTree.NO_LEVEL && votes[levels[sw]] == max)) {
            return levels[sw];
        }
        IntStream best = IntStream.range(0, votes.length).filter(level -> votes[level] == max);
        return (graph.hosts[sw] > 0 ? best.min() : best.max()).orElseThrow();
    }

    /** Checks whether a switch has hosts, and cables to only one other switch, so that it is above no switch. */
    private static boolean hasHostsAndOneNeighbour(SwitchGraph graph, int sw) {
        int[] peers = graph.peers[sw];
        return graph.hosts[sw] > 0 && Arrays.stream(peers).allMatch(next -> next == peers[0]);
    }

    /** Returns a proposal with its measures. */
    private static TreeLevels withMeasures(SwitchGraph graph, int[] levels) {
        int faults = 0;
        int hosts = 0;
        int above = 0;
        for (int sw = 0; sw < levels.length; sw++) {
            hosts += graph.hosts[sw];
            above += levels[sw] == 0 ? 0 : graph.hosts[sw];
            for (int next : graph.peers[sw]) {
                faults += Math.abs(levels[next] - levels[sw]) == 1 ? 0 : 1;
            }
        }
        return new TreeLevels(
                levels, (double) faults / Math.max(1, 2 * graph.cables()), (double) above / Math.max(1, hosts));
    }
}
