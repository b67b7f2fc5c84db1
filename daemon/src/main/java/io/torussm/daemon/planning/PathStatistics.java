package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The paths of a plan, all ordered pairs of ends. Ends that share a switch are no cable between switches apart.
 *
 * @param pairs with a path
 * @param byHops pairs by the cables between switches on their path
 * @param bySl pairs by the SL of the first QoS level
 * @param loads by port index: paths that leave a switch by it for another
 */
public record PathStatistics(long pairs, Map<Integer, Long> byHops, Map<Integer, Long> bySl, int[] loads) {

    /** By port index: paths between hosts that leave a switch by it for another; see {@link #loads()}. */
    public static int[] loads(Plan plan) {
        return of(plan, new PathEnds(plan.subnet())).loads();
    }

    static PathStatistics of(Plan plan, PathEnds ends) {
        Fabric fabric = plan.subnet().fabric();
        Map<Integer, Long> byHops = new TreeMap<>();
        Map<Integer, Long> bySl = new TreeMap<>();
        int[] loads = new int[fabric.portCount()];
        long[] pairsOfHops = new long[fabric.switchCount() + 1];
        long[] pairsOfSl = new long[17];
        int[] flow = new int[fabric.switchCount()];
        PathTree tree = new PathTree(plan);
        for (int end : ends.ports()) {
            tree.towards(ends.lid(end));
            int to = fabric.switchOf(end);
            for (int rank = tree.reached() - 1; rank >= 0; rank--) {
                int sw = tree.at(rank);
                int sources = ends.on(sw) - (sw == to ? 1 : 0);
                pairsOfHops[tree.hops(sw)] += sources;
                pairsOfSl[Integer.numberOfTrailingZeros(plan.slMask(sw, to) | 1 << 16)] += sources;
                if (sw != to) {
                    int through = flow[sw] + sources;
                    loads[fabric.port(sw, tree.out(sw))] += through;
                    flow[tree.next(sw)] += through;
                }
                flow[sw] = 0;
            }
        }
        IntStream.range(0, pairsOfHops.length)
                .filter(hops -> pairsOfHops[hops] > 0)
                .forEach(hops -> byHops.put(hops, pairsOfHops[hops]));
        IntStream.range(0, 16).filter(sl -> pairsOfSl[sl] > 0).forEach(sl -> bySl.put(sl, pairsOfSl[sl]));
        long pairs = byHops.values().stream().mapToLong(Long::longValue).sum();
        return new PathStatistics(pairs, byHops, bySl, loads);
    }

    /** The port with the most paths. */
    int mostLoaded() {
        return IntStream.range(0, loads.length)
                .reduce((a, b) -> loads[b] > loads[a] ? b : a)
                .orElse(0);
    }
}
