package io.torussm.tree;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/** The parts of a tree that are connected by spines alone. */
final class TreeGroups {
    private final SwitchGraph graph;
    private final int[] level;
    private final int top;
    private final int[] part;

    private TreeGroups(SwitchGraph graph, int[] level) {
        this.graph = graph;
        this.level = level;
        top = Arrays.stream(level).max().orElse(FabricTree.NO_LEVEL);
        part = IntStream.range(0, level.length).toArray();
    }

    /**
     * Returns the group by switch, from 0 in ascending order of the first switch; {@link FabricTree#NO_LEVEL} for
     * spines.
     */
    static int[] of(SwitchGraph graph, int[] level) {
        return new TreeGroups(graph, level).numbered();
    }

    private int[] numbered() {
        for (int sw = 0; sw < level.length; sw++) {
            for (int next : graph.peers[sw]) {
                if (level[sw] >= 0 && level[next] == level[sw] + 1 && level[next] < top && belongs(sw, next)) {
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

    private int root(int sw) {
        int root = sw;
        while (part[root] != root) {
            part[root] = part[part[root]];
            root = part[root];
        }
        return root;
    }

    /**
     * Checks whether two switches belong together: whether another one above the lower is connected to others that both
     * share.
     */
    private boolean belongs(int lower, int upper) {
        int[] others = above(lower).filter(each -> each != upper).toArray();
        return others.length == 0
                || Arrays.stream(others).anyMatch(other -> common(upper, other) > 1)
                || Arrays.stream(others).noneMatch(other -> below(other).count() > 1)
                || below(upper).count() == 1;
    }

    private IntStream above(int sw) {
        return Arrays.stream(graph.peers[sw])
                .filter(next -> level[next] == level[sw] + 1)
                .distinct();
    }

    private IntStream below(int sw) {
        return Arrays.stream(graph.peers[sw])
                .filter(next -> level[next] == level[sw] - 1)
                .distinct();
    }

    private long common(int one, int other) {
        int[] sorted = below(one).sorted().toArray();
        return below(other).filter(sw -> Arrays.binarySearch(sorted, sw) >= 0).count();
    }
}
