package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The recognition of regular graphs other than trees, by the number of switches at each distance from each switch. */
final class ShapeNames {
    /** The size of the smallest hypercube that is not a ring. */
    private static final int SMALLEST_CUBE = 8;

    /** The size of the largest graph whose distances are computed. A dragonfly is recognized by neighbours alone. */
    private static final int MAX_SWITCHES = 4096;

    private static final int DIMENSIONS = 3;

    /** The number of neighbours of a switch in a hypercube of 4,096 switches. */
    private static final int MAX_NEIGHBOURS = 12;

    /** The minimum share of the cables of a dragonfly that must be present. */
    private static final double NEARLY_ALL = 0.85;

    /** By switch: the other switches that it has a cable to, ascending. */
    private final int[][] neighbours;

    /** @param neighbours by switch: the other switches that it has a cable to, ascending */
    private ShapeNames(int[][] neighbours) {
        this.neighbours = neighbours;
    }

    /**
     * Prepares the recognition of a graph before it lost cables.
     *
     * @param lost cables by the node GUIDs of their switches, which may be lost, too
     */
    static ShapeNames of(SwitchGraph graph, Collection<List<Long>> lost) {
        Map<Long, Integer> numbers = new HashMap<>();
        List<SortedSet<Integer>> neighbours = new ArrayList<>();
        for (int sw = 0; sw < graph.size(); sw++) {
            numbers.put(graph.fabric.nodeGuid(sw), sw);
            neighbours.add(new TreeSet<>(Arrays.stream(graph.peers[sw]).boxed().toList()));
        }
        for (List<Long> cable : lost) {
            int first = number(cable.get(0), numbers, neighbours);
            int other = number(cable.get(1), numbers, neighbours);
            neighbours.get(first).add(other);
            neighbours.get(other).add(first);
        }
        return new ShapeNames(neighbours.stream()
                .map(peers -> peers.stream().mapToInt(Integer::intValue).toArray())
                .toArray(int[][]::new));
    }

    private static int number(long guid, Map<Long, Integer> numbers, List<SortedSet<Integer>> neighbours) {
        return numbers.computeIfAbsent(guid, lost -> {
            neighbours.add(new TreeSet<>());
            return neighbours.size() - 1;
        });
    }

    /** Returns the shape of a graph that is no tree. */
    FabricShape shape() {
        int size = neighbours.length;
        if (size > 2 && Arrays.stream(neighbours).allMatch(peers -> peers.length == size - 1)) {
            return FabricShape.FULL_MESH;
        }
        if (size < 3) {
            return size == 0 ? FabricShape.UNSWITCHED : FabricShape.OTHER;
        }
        if (isDragonfly()) {
            return FabricShape.DRAGONFLY;
        }
        return size > MAX_SWITCHES || Arrays.stream(neighbours).anyMatch(peers -> peers.length > MAX_NEIGHBOURS)
                ? FabricShape.OTHER
                : byDistances();
    }

    /** Checks whether the switches may be in a row: no switch has more than two neighbours, and some have one. */
    boolean isLine() {
        return minDegree() == 1 && maxDegree() <= 2;
    }

    /** Checks whether the graph is a line, a ring, a grid or a cube. */
    boolean isGridOrCube() {
        int minNeighbours = minDegree();
        int corners = (int) Arrays.stream(neighbours)
                .filter(peers -> peers.length == minNeighbours)
                .count();
        return (minNeighbours == maxDegree() || (minNeighbours <= DIMENSIONS && corners == 1 << minNeighbours))
                && neighbours.length > 2
                && neighbours.length <= MAX_SWITCHES
                && maxDegree() <= MAX_NEIGHBOURS
                && byDistances() != FabricShape.OTHER;
    }

    private int minDegree() {
        return Arrays.stream(neighbours).mapToInt(peers -> peers.length).min().orElse(0);
    }

    private int maxDegree() {
        return Arrays.stream(neighbours).mapToInt(peers -> peers.length).max().orElse(0);
    }

    /**
     * Returns the shape by distances. A grid of several dimensions has the distances of the product of its lines, so
     * its counts are convolutions.
     */
    private FabricShape byDistances() {
        List<int[]> sorted = IntStream.range(0, neighbours.length)
                .mapToObj(sw -> counts(SwitchGraph.hops(neighbours, start -> start == sw)))
                .sorted(Arrays::compare)
                .toList();
        int dimensions = Integer.numberOfTrailingZeros(neighbours.length);
        if (neighbours.length >= SMALLEST_CUBE && Integer.bitCount(neighbours.length) == 1) {
            int[] cube = {1};
            for (int i = 0; i < dimensions; i++) {
                cube = convolve(cube, new int[] {1, 1});
            }
            int[] expected = cube;
            if (sorted.stream().allMatch(counts -> Arrays.equals(counts, expected))) {
                return FabricShape.HYPERCUBE;
            }
        }
        for (int[] sizes : factors(neighbours.length, 2, DIMENSIONS)) {
            if (isGrid(sorted, sizes, true)) {
                return FabricShape.TORUS;
            }
            if (isGrid(sorted, sizes, false)) {
                return FabricShape.MESH;
            }
        }
        return FabricShape.OTHER;
    }

    /** Returns the number of switches by distance. */
    private static int[] counts(int[] hops) {
        int farthest = Arrays.stream(hops)
                .filter(hop -> hop != SwitchGraph.UNREACHABLE)
                .max()
                .orElse(0);
        int[] counts = new int[farthest + 1];
        Arrays.stream(hops).filter(hop -> hop != SwitchGraph.UNREACHABLE).forEach(hop -> counts[hop]++);
        return counts;
    }

    private static int[] convolve(int[] one, int[] other) {
        int[] product = new int[one.length + other.length - 1];
        for (int i = 0; i < one.length; i++) {
            for (int j = 0; j < other.length; j++) {
                product[i + j] += one[i] * other[j];
            }
        }
        return product;
    }

    /**
     * Returns all ways to write a number as a product of at most {@code max} factors of at least {@code min}, in
     * ascending order.
     */
    private static List<int[]> factors(int number, int min, int max) {
        List<int[]> products = new ArrayList<>();
        if (number >= min) {
            products.add(new int[] {number});
        }
        for (int first = min; max > 1 && first * first <= number; first++) {
            if (number % first == 0) {
                for (int[] rest : factors(number / first, first, max - 1)) {
                    int[] sizes = new int[rest.length + 1];
                    sizes[0] = first;
                    System.arraycopy(rest, 0, sizes, 1, rest.length);
                    products.add(sizes);
                }
            }
        }
        return products;
    }

    /**
     * Checks whether a grid has the same counts by distance as a graph.
     *
     * @param graphCounts counts of each switch, sorted
     * @param sizes number of switches in each dimension
     * @param isWrapped true for a torus, false for a mesh
     */
    private static boolean isGrid(List<int[]> graphCounts, int[] sizes, boolean isWrapped) {
        List<int[]> wanted = new ArrayList<>(List.of(new int[] {1}));
        for (int size : sizes) {
            List<int[]> longer = new ArrayList<>();
            for (int position = 0; position < size; position++) {
                int own = position;
                int[] line = counts(IntStream.range(0, size)
                        .map(to -> Math.abs(to - own))
                        .map(away -> isWrapped ? Math.min(away, size - away) : away)
                        .toArray());
                wanted.forEach(shorter -> longer.add(convolve(shorter, line)));
            }
            wanted = longer;
        }
        List<int[]> sorted = wanted.stream().sorted(Arrays::compare).toList();
        return IntStream.range(0, graphCounts.size())
                .allMatch(position -> Arrays.equals(graphCounts.get(position), sorted.get(position)));
    }

    /**
     * Checks whether switches that share neighbours form at least three groups. Almost all switches of a group must
     * have cables to each other, and almost all pairs of groups must have a cable.
     */
    private boolean isDragonfly() {
        int[] group = groups();
        int groups = Arrays.stream(group).max().orElse(0) + 1;
        if (groups < 3 || groups > neighbours.length / 3) {
            return false;
        }
        long[] members = new long[groups];
        Arrays.stream(group).forEach(groupIndex -> members[groupIndex]++);
        long inside = 0;
        BitSet connected = new BitSet();
        for (int sw = 0; sw < group.length; sw++) {
            for (int next : neighbours[sw]) {
                inside += group[sw] == group[next] ? 1 : 0;
                if (group[sw] != group[next]) {
                    connected.set(group[sw] * groups + group[next]);
                }
            }
        }
        long expected = Arrays.stream(members)
                .map(memberCount -> memberCount * (memberCount - 1))
                .sum();
        return inside >= NEARLY_ALL * expected && connected.cardinality() >= NEARLY_ALL * groups * (groups - 1);
    }

    /**
     * Returns the group by switch, from 0. Two neighbours are in one group if they have more than half as many
     * common neighbours as the pair with the most.
     */
    private int[] groups() {
        int max = 0;
        for (int sw = 0; sw < neighbours.length; sw++) {
            for (int next : neighbours[sw]) {
                max = Math.max(max, commonNeighbours(sw, next));
            }
        }
        int[] group = new int[neighbours.length];
        Arrays.fill(group, Fabric.NONE);
        int groups = 0;
        for (int sw = 0; sw < group.length && max > 0; sw++) {
            if (group[sw] == Fabric.NONE) {
                fillGroup(group, sw, groups++, max);
            }
        }
        return group;
    }

    private void fillGroup(int[] group, int first, int number, int max) {
        int[] queue = new int[group.length];
        int tail = 0;
        queue[tail++] = first;
        group[first] = number;
        for (int head = 0; head < tail; head++) {
            for (int next : neighbours[queue[head]]) {
                if (group[next] == Fabric.NONE && 2 * commonNeighbours(queue[head], next) > max) {
                    group[next] = number;
                    queue[tail++] = next;
                }
            }
        }
    }

    /** Returns the number of common neighbours of two switches. */
    private int commonNeighbours(int one, int other) {
        return (int) Arrays.stream(neighbours[one])
                .filter(neighbour -> Arrays.binarySearch(neighbours[other], neighbour) >= 0)
                .count();
    }
}
