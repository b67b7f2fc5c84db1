package io.torussm.daemon.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The layout of a graph in levels. The vertices of each level have an order in which few lines cross. Immutable. */
final class LevelLayout {
    private static final int ROUNDS = 12;

    /** Max share of the links of a tree that do not join adjacent levels. */
    private static final double MAX_WRONG_LINK_SHARE = 0.2;

    /** Min share of the hosts that are on the leaves of a tree, if some links do not join adjacent levels. */
    private static final double MIN_LEAF_HOST_SHARE = 2 / 3.0;

    private final CableGraph graph;

    /** Level by vertex; 0 is the level of the leaves. */
    private final int[] levels;

    /** Vertices by level, in the order of their positions. */
    private final List<List<Integer>> rows = new ArrayList<>();

    /** Position of each vertex along its level, from 0 to 1. */
    private final double[] positions;

    /** By vertex, a representative of the vertices that are connected to the vertex at its level and below. */
    private final int[] representative;

    private LevelLayout(CableGraph graph, int[] levels) {
        this.graph = graph;
        this.levels = levels;
        positions = new double[levels.length];
        representative = IntStream.range(0, levels.length).toArray();
    }

    /**
     * Computes the levels of a tree; empty if the graph is no tree. Some wrong cables are tolerated. A switch with few
     * hosts, such as the switch of the SM, is no leaf if it would connect parts that are separate without it.
     */
    static Optional<LevelLayout> ofTree(CableGraph graph) {
        int max = IntStream.range(0, graph.size()).map(graph::hosts).max().orElse(0);
        return IntStream.of(1, max / 2 + 1)
                .mapToObj(least -> new LevelLayout(graph, levels(graph, least)))
                .filter(LevelLayout::isTree)
                .reduce((any, strict) -> strict.pods() > any.pods() ? strict : any)
                .map(LevelLayout::order);
    }

    /**
     * Computes the distance of each switch from the nearest leaf. A leaf is a switch with hosts, or a switch without
     * hosts whose neighbours are all neighbours of one leaf.
     *
     * @param min min number of hosts of a switch with hosts
     * @return level by vertex
     */
    private static int[] levels(CableGraph graph, int min) {
        int[] hops = graph.hops(v -> graph.hosts(v) >= min);
        int[] levels = graph.hops(v -> hops[v] == 0 || (hops[v] == 2 && isLikeALeaf(graph, hops, v)));
        while (moveMisplaced(graph, levels)) {
            // The loop ends, because each round reduces the number of wrong links.
        }
        return levels;
    }

    /**
     * Moves a switch above the leaves to another level if more of its links then join adjacent levels. The previous
     * level was too low because of a wrong cable.
     *
     * @return true if a switch was moved
     */
    private static boolean moveMisplaced(CableGraph graph, int[] levels) {
        boolean isMoved = false;
        for (int v = 0; v < levels.length; v++) {
            int[] neighbours = graph.neighbours(v);
            int best = levels[v];
            for (int next : best == 0 || best == CableGraph.UNREACHABLE ? new int[0] : neighbours) {
                int wanted = levels[next] + 1;
                best = countAdjacentLinks(neighbours, levels, wanted) > countAdjacentLinks(neighbours, levels, best)
                        ? wanted
                        : best;
            }
            isMoved |= best != levels[v];
            levels[v] = best;
        }
        return isMoved;
    }

    /** Counts the links of a switch that would join adjacent levels if the switch was on a level. */
    private static long countAdjacentLinks(int[] neighbours, int[] levels, int level) {
        return IntStream.of(neighbours)
                .filter(next -> Math.abs(levels[next] - level) == 1)
                .count();
    }

    /** Checks whether all neighbours of a switch are neighbours of one leaf. */
    private static boolean isLikeALeaf(CableGraph graph, int[] hops, int v) {
        int[] above = graph.neighbours(v);
        return IntStream.of(graph.neighbours(above[0]))
                .anyMatch(leaf -> hops[leaf] == 0
                        && IntStream.of(above)
                                .allMatch(next -> Arrays.binarySearch(graph.neighbours(leaf), next) >= 0));
    }

    /**
     * Computes levels of a graph that is no tree. The switch with the most neighbours is on top. The levels of the
     * other switches decrease with their distances from this switch.
     */
    static LevelLayout aroundCentre(CableGraph graph) {
        int centre = IntStream.range(0, graph.size())
                .reduce(0, (a, b) -> graph.neighbours(b).length > graph.neighbours(a).length ? b : a);
        int[] hops = graph.hops(v -> v == centre);
        int deepest = Arrays.stream(hops)
                .filter(each -> each != CableGraph.UNREACHABLE)
                .max()
                .orElse(0);
        int[] levels =
                Arrays.stream(hops).map(each -> Math.max(0, deepest - each)).toArray();
        return new LevelLayout(graph, levels).order();
    }

    private boolean isTree() {
        long faults = IntStream.range(0, levels.length)
                .mapToLong(v -> graph.neighbours(v).length - countAdjacentLinks(graph.neighbours(v), levels, levels[v]))
                .sum();
        int hosts = IntStream.range(0, levels.length).map(graph::hosts).sum();
        int below = IntStream.range(0, levels.length)
                .filter(v -> levels[v] == 0)
                .map(graph::hosts)
                .sum();
        return Arrays.stream(levels).noneMatch(level -> level == CableGraph.UNREACHABLE)
                && (faults == 0
                        || (faults <= 2 * MAX_WRONG_LINK_SHARE * graph.links()
                                && below >= MIN_LEAF_HOST_SHARE * hosts));
    }

    /** Counts the parts of the graph that are connected within the two lowest levels. */
    private long pods() {
        List<List<Integer>> parts = parts(1);
        return IntStream.range(0, levels.length)
                .filter(v -> levels[v] <= 1 && parts.get(v).get(0) == v)
                .count();
    }

    int level(int v) {
        return levels[v];
    }

    List<List<Integer>> rows() {
        return rows;
    }

    private LevelLayout order() {
        int top = Arrays.stream(levels).max().orElse(0);
        for (int level = 0; level <= top; level++) {
            rows.add(new ArrayList<>());
        }
        List<List<Integer>> parts = parts(top);
        IntStream.range(0, levels.length)
                .filter(v -> parts.get(v).get(0) == v)
                .boxed()
                .flatMap(v -> parts.get(v).stream())
                .forEach(v -> rows.get(levels[v]).add(v));
        rows.forEach(this::assignPositions);
        for (int round = 0; round < ROUNDS; round++) {
            for (int level = 1; level < rows.size(); level++) {
                sort(rows.get(level), level - 1);
            }
            for (int level = rows.size() - 2; level >= 0; level--) {
                sort(rows.get(level), level + 1);
            }
        }
        return this;
    }

    /**
     * Computes the groups of vertices that are connected by vertices up to a level. The members that are connected at a
     * lower level are consecutive in the group. A vertex above the level is a group alone.
     *
     * @return group by vertex; all members of a group have the same list
     */
    private List<List<Integer>> parts(int upTo) {
        List<List<Integer>> parts = new ArrayList<>();
        IntStream.range(0, levels.length).forEach(v -> parts.add(new ArrayList<>(List.of(v))));
        for (int level = 1; level <= upTo; level++) {
            // A vertex is inserted before the vertices below it, so the loop runs from the last vertex to the first.
            for (int v = levels.length - 1; v >= 0; v--) {
                for (int next : levels[v] == level ? graph.neighbours(v) : new int[0]) {
                    List<Integer> part = parts.get(v);
                    List<Integer> other = parts.get(next);
                    if (levels[next] < level && !part.get(0).equals(other.get(0))) {
                        part.addAll(other);
                        other.forEach(each -> parts.set(each, part));
                    }
                }
            }
            for (int v = 0; v < levels.length; v++) {
                representative[v] = levels[v] == level ? parts.get(v).get(0) : representative[v];
            }
        }
        return parts;
    }

    private void assignPositions(List<Integer> row) {
        for (int slot = 0; slot < row.size(); slot++) {
            positions[row.get(slot)] = position(slot, row.size());
        }
    }

    /** Computes the position of a slot along its level, from 0 to 1. */
    static double position(double slot, int slots) {
        return (slot + 0.5) / slots;
    }

    /**
     * Sorts a row by the mean positions of the neighbours at another level. The members of a part stay adjacent, and
     * equal elements keep their order.
     *
     * @param otherLevel level of the neighbours
     */
    private void sort(List<Integer> row, int otherLevel) {
        double[] mean = positions.clone();
        Map<Integer, List<Integer>> parts = new LinkedHashMap<>();
        for (int v : row) {
            mean[v] = Arrays.stream(graph.neighbours(v))
                    .filter(next -> levels[next] == otherLevel)
                    .mapToDouble(next -> positions[next])
                    .average()
                    .orElse(positions[v]);
            parts.computeIfAbsent(representative[v], any -> new ArrayList<>()).add(v);
        }
        row.clear();
        parts.values().stream()
                .sorted(Comparator.comparingLong(part -> rounded(
                        part.stream().mapToDouble(v -> mean[v]).average().orElse(0))))
                .forEach(part -> {
                    part.sort(Comparator.comparingLong(v -> rounded(mean[v])));
                    row.addAll(part);
                });
        assignPositions(row);
    }

    /** Rounds a mean, because sums of the same numbers in another order differ slightly. */
    private static long rounded(double mean) {
        return Math.round(mean * (1 << 30));
    }
}
