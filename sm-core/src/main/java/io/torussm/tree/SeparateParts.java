package io.torussm.tree;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The parts of a fabric that cables between neighbouring levels connect: one if all cables are right, several if
 * other cables alone join trees.
 *
 * @param part by switch, its part
 * @param switches by part
 */
record SeparateParts(int[] part, Map<Integer, Integer> switches) {
    /** Returns the parts of a graph with levels by switch. */
    static SeparateParts of(SwitchGraph graph, int[] level) {
        int[] part = new int[level.length];
        Map<Integer, Integer> switches = new HashMap<>();
        int[] queue = new int[level.length];
        Arrays.fill(part, FabricTree.NO_LEVEL);
        for (int first = 0; first < part.length; first++) {
            int tail = 0;
            if (part[first] == FabricTree.NO_LEVEL) {
                part[first] = first;
                queue[tail++] = first;
            }
            for (int head = 0; head < tail; head++) {
                for (int next : graph.peers[queue[head]]) {
                    if (part[next] == FabricTree.NO_LEVEL && Math.abs(level[next] - level[queue[head]]) == 1) {
                        part[next] = first;
                        queue[tail++] = next;
                    }
                }
            }
            switches.put(first, tail);
        }
        return new SeparateParts(part, switches);
    }

    /** Checks whether a cable between two switches joins two parts that each have several switches. */
    boolean areJoined(int one, int other) {
        return part[one] != part[other] && size(one) > 1 && size(other) > 1;
    }

    private int size(int one) {
        return Objects.requireNonNull(switches.get(part[one]));
    }
}
