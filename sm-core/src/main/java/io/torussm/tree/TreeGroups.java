package io.torussm.tree;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The groups of a tree (pods): the parts that only spines connect. Switches are merged with a union-find
 * structure.
 */
final class TreeGroups {
    private final SwitchGraph graph;
    private final int[] level;
    private final int top;
    /** By switch: its parent in the union-find forest; a root is its own parent. */
    private final int[] part;

    private TreeGroups(SwitchGraph graph, int[] level) {
        this.graph = graph;
        this.level = level;
        top = Arrays.stream(level).max().orElse(FabricTree.NO_LEVEL);
        part = IntStream.range(0, level.length).toArray();
    }

    /**
     * Returns the group by switch, from 0 in ascending order of the first switch; {@link FabricTree#NO_LEVEL} for
     * spines and for switches without a level.
     */
    static int[] of(SwitchGraph graph, int[] level) {
        return new TreeGroups(graph, level).numberGroups();
    }

    private int[] numberGroups() {
        for (int sw = 0; sw < level.length; sw++) {
            for (int next : graph.peers[sw]) {
                if (level[sw] >= 0 && level[next] == level[sw] + 1 && level[next] < top && isInGroup(sw, next)) {
                    part[root(next)] = root(sw);
                }
            }
        }
        Map<Integer, Integer> numbers = new HashMap<>();
        int[] group = new int[level.length];
        for (int sw = 0; sw < group.length; sw++) {
            boolean isBelow = level[sw] >= 0 && level[sw] < top;
            group[sw] = isBelow ? numbers.computeIfAbsent(root(sw), any -> numbers.size()) : FabricTree.NO_LEVEL;
        }
        return group;
    }

    /** Returns the root of a switch in the union-find forest, and shortens the path to it. */
    private int root(int sw) {
        int root = sw;
        while (part[root] != root) {
            part[root] = part[part[root]];
            root = part[root];
        }
        return root;
    }

    /**
     * Checks whether a cable between two switches is inside a group and not misplaced: another switch above {@code
     * lower} shares at least two lower switches with {@code upper}, or the switches are too few to decide.
     */
    private boolean isInGroup(int lower, int upper) {
        int[] otherUppers = switchesAbove(lower).filter(next -> next != upper).toArray();
        return otherUppers.length == 0
                || Arrays.stream(otherUppers).anyMatch(other -> commonBelow(upper, other) > 1)
                || Arrays.stream(otherUppers)
                        .noneMatch(other -> switchesBelow(other).count() > 1)
                || switchesBelow(upper).count() == 1;
    }

    private IntStream switchesAbove(int sw) {
        return Arrays.stream(graph.peers[sw])
                .filter(next -> level[next] == level[sw] + 1)
                .distinct();
    }

    private IntStream switchesBelow(int sw) {
        return Arrays.stream(graph.peers[sw])
                .filter(next -> level[next] == level[sw] - 1)
                .distinct();
    }

    private long commonBelow(int one, int other) {
        int[] sorted = switchesBelow(one).sorted().toArray();
        return switchesBelow(other)
                .filter(sw -> Arrays.binarySearch(sorted, sw) >= 0)
                .count();
    }
}
