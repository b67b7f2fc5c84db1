package io.torussm.routing.updn;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import java.util.Arrays;
import java.util.BitSet;

/** The switches at the top. */
final class TopSwitches {
    /** Hops that are looked at. */
    private static final int BARS = 64;

    private static final double MOST = 0.9;
    private static final double SOME = 0.05;

    private TopSwitches() {}

    /**
     * Returns the switches that are equally far from most hosts, as OpenSM finds them. Hosts are counted by
     * distance; exactly one count must exceed nine tenths of all, and exactly one a twentieth. In large trees
     * this holds for all switches, and OpenSM then takes all for roots. Here only the switches nearest to
     * their nine tenths count.
     *
     * @return none if the fabric is not like a tree with equal branches
     */
    static BitSet found(Links links, Hops hops) {
        Fabric fabric = links.fabric();
        int[] hosts = new int[fabric.switchCount()];
        int all = 0;
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            for (int port = fabric.port(node, 1); port <= fabric.port(node, fabric.numPorts(node)); port++) {
                int sw = fabric.isEndport(port) ? fabric.switchOf(port) : Fabric.NONE;
                if (sw != Fabric.NONE) {
                    hosts[sw]++;
                    all++;
                }
            }
        }
        BitSet roots = new BitSet();
        int[] bars = new int[Hops.NONE + 1];
        int nearest = BARS;
        for (int sw = 0; sw < hosts.length; sw++) {
            Arrays.fill(bars, 0);
            for (int to = 0; to < hosts.length; to++) {
                bars[hops.hops(sw, to)] += hosts[to];
            }
            int max = highest(bars);
            boolean isLikeARoot = above(bars, MOST * all) == 1 && above(bars, SOME * all) == 1;
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
        for (int i = 0; i < BARS; i++) {
            highest = bars[i] > bars[highest] ? i : highest;
        }
        return highest;
    }

    private static int above(int[] bars, double limit) {
        int count = 0;
        for (int i = 0; i < BARS; i++) {
            count += bars[i] > limit ? 1 : 0;
        }
        return count;
    }
}
