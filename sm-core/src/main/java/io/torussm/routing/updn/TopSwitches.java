package io.torussm.routing.updn;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import java.util.Arrays;
import java.util.BitSet;

/** The search for the roots of a tree by the distances of hosts. */
final class TopSwitches {
    /** The number of distances that are counted, as in OpenSM. */
    private static final int DISTANCES = 64;

    /** Exactly one distance must have more than this share of all hosts. */
    private static final double MAIN_SHARE = 0.9;
    /** Exactly one distance may have more than this share of all hosts. */
    private static final double MINOR_SHARE = 0.05;

    private TopSwitches() {}

    /**
     * Returns the switches that are equally far from most hosts, by the rule of OpenSM: the hosts of each distance
     * are counted. Exactly one distance must have more than nine tenths of all hosts, and exactly one more than a
     * twentieth. In large trees this is true of all switches, and OpenSM takes all of them for roots. This method
     * returns only those with the least such distance.
     *
     * @return switches by index; empty if the fabric is not similar to a tree with equal branches
     */
    static BitSet find(Links links, Hops hops) {
        Fabric fabric = links.fabric();
        int[] hosts = new int[fabric.switchCount()];
        int total = 0;
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            for (int port = fabric.port(node, 1); port <= fabric.port(node, fabric.numPorts(node)); port++) {
                int sw = fabric.isEndport(port) ? fabric.switchOf(port) : Fabric.NONE;
                if (sw != Fabric.NONE) {
                    hosts[sw]++;
                    total++;
                }
            }
        }
        BitSet roots = new BitSet();
        int[] bars = new int[Hops.NONE + 1];
        int nearest = DISTANCES;
        for (int sw = 0; sw < hosts.length; sw++) {
            Arrays.fill(bars, 0);
            for (int to = 0; to < hosts.length; to++) {
                bars[hops.hops(sw, to)] += hosts[to];
            }
            int max = highest(bars);
            boolean isLikeARoot =
                    countAbove(bars, MAIN_SHARE * total) == 1 && countAbove(bars, MINOR_SHARE * total) == 1;
            if (isLikeARoot && max < nearest) {
                roots.clear();
                nearest = max;
            }
            roots.set(sw, isLikeARoot && max == nearest);
        }
        return roots;
    }

    private static int highest(int[] bars) {
        int highest = 0;
        for (int i = 0; i < DISTANCES; i++) {
            highest = bars[i] > bars[highest] ? i : highest;
        }
        return highest;
    }

    private static int countAbove(int[] bars, double limit) {
        int count = 0;
        for (int i = 0; i < DISTANCES; i++) {
            count += bars[i] > limit ? 1 : 0;
        }
        return count;
    }
}
