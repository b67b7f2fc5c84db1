package io.torussm.tree;

import java.util.Arrays;

/**
 * The parts of a fabric that cables between neighbouring levels connect. A fabric has several parts if only
 * cables within a level or over a level join trees.
 *
 * @param part first switch of its part by switch
 * @param size number of switches of a part by its first switch
 */
record SeparateParts(int[] part, int[] size) {
    /**
     * Returns the parts of a graph.
     *
     * @param level level by switch
     */
    static SeparateParts of(SwitchGraph graph, int[] level) {
        int[] part = new int[level.length];
        int[] size = new int[level.length];
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
            size[first] = tail;
        }
        return new SeparateParts(part, size);
    }

    /** Checks whether a cable between two switches joins two parts that each have several switches. */
    boolean areJoined(int one, int other) {
        return part[one] != part[other] && size[part[one]] > 1 && size[part[other]] > 1;
    }
}
