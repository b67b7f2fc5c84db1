package io.torussm.routing.statistics;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The numbers of paths of a plan between all ordered pairs of ends. A hop is a cable between switches, so ends
 * on the same switch have a distance of 0 hops.
 *
 * @param pairs number of pairs with a path
 * @param byHops number of pairs by the number of hops of their path
 * @param bySl number of pairs by SL, for the lowest SL of a path
 * @param loads number of paths that leave a switch for another switch, by index of the output port
 */
public record PathStatistics(long pairs, Map<Integer, Long> byHops, Map<Integer, Long> bySl, int[] loads) {

    /** Returns the loads of a plan between hosts by port index, see {@link #loads()}. */
    public static int[] loads(Plan plan) {
        return of(plan, new PathEnds(plan.subnet())).loads();
    }

    /** Counts the paths of a plan between ends. */
    public static PathStatistics of(Plan plan, PathEnds ends) {
        Fabric fabric = plan.subnet().fabric();
        if (fabric.switchCount() == 0) {
            return overOneCable(plan, ends);
        }
        Map<Integer, Long> byHops = new TreeMap<>();
        Map<Integer, Long> bySl = new TreeMap<>();
        int[] loads = new int[fabric.portCount()];
        long[] pairsOfHops = new long[fabric.switchCount() + 1];
        long[] pairsOfSl = new long[17];
        int[] flow = new int[fabric.switchCount()];
        PathTree tree = new PathTree(plan);
        for (int end : ends.ports()) {
            int lid = ends.lid(end);
            tree.followTo(lid);
            int to = fabric.switchOf(end);
            for (int rank = tree.reachedCount() - 1; rank >= 0; rank--) {
                int sw = tree.switchAt(rank);
                int sources = ends.endCount(sw) - (sw == to ? 1 : 0);
                pairsOfHops[tree.hops(sw)] += sources;
                pairsOfSl[Integer.numberOfTrailingZeros(plan.slMask(sw, lid) | 1 << 16)] += sources;
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

    private static PathStatistics overOneCable(Plan plan, PathEnds ends) {
        Map<Integer, Long> bySl = new TreeMap<>();
        for (int from : ends.ports()) {
            for (int to : ends.ports()) {
                int sl = from == to ? -1 : plan.pathSl(ends.lid(from), ends.lid(to), 0);
                if (sl >= 0) {
                    bySl.merge(sl, 1L, Long::sum);
                }
            }
        }
        long pairs = bySl.values().stream().mapToLong(Long::longValue).sum();
        return new PathStatistics(
                pairs,
                pairs == 0 ? Map.of() : Map.of(0, pairs),
                bySl,
                new int[plan.subnet().fabric().portCount()]);
    }

    /** Returns the mean number of hops of a path; 0 without pairs. */
    public double meanHops() {
        long steps = byHops.entrySet().stream()
                .mapToLong(entry -> entry.getKey() * entry.getValue())
                .sum();
        return pairs == 0 ? 0 : (double) steps / pairs;
    }

    /** Returns the number of hops of the longest path. */
    public int maxHops() {
        return byHops.keySet().stream().mapToInt(hops -> hops).max().orElse(0);
    }

    /** Returns the maximum number of paths over a cable in one direction. */
    public int maxLoad() {
        return loads[mostLoaded()];
    }

    /** Returns the index of the output port with the most paths. */
    public int mostLoaded() {
        return IntStream.range(0, loads.length)
                .reduce((a, b) -> loads[b] > loads[a] ? b : a)
                .orElse(0);
    }
}
