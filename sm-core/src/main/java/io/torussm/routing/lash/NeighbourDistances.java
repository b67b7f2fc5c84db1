package io.torussm.routing.lash;

import java.util.Arrays;

/** The distances between the neighbours of a switch on ways around the switch. Not thread-safe. */
final class NeighbourDistances {
    private final LashGraph graph;
    /** By id: the distance of the last search. */
    private final int[] hops;

    private final int[] queue;

    NeighbourDistances(LashGraph graph) {
        this.graph = graph;
        hops = new int[graph.size()];
        queue = new int[graph.size()];
    }

    /**
     * Returns distances {@code [link][link]} between the neighbours of a switch; {@link MeshShapes#UNREACHABLE} if only
     * the switch connects them.
     */
    int[][] between(int id) {
        int[] neighbours = graph.targets()[id];
        int[][] distances = new int[neighbours.length][neighbours.length];
        for (int link = 0; link < neighbours.length; link++) {
            search(neighbours[link], id);
            for (int other = 0; other < neighbours.length; other++) {
                distances[link][other] = hops[neighbours[other]];
            }
        }
        return distances;
    }

    private void search(int from, int without) {
        Arrays.fill(hops, MeshShapes.UNREACHABLE);
        hops[from] = 0;
        queue[0] = from;
        int count = 1;
        for (int head = 0; head < count; head++) {
            for (int next : graph.targets()[queue[head]]) {
                if (next != without && hops[next] == MeshShapes.UNREACHABLE) {
                    hops[next] = hops[queue[head]] + 1;
                    queue[count++] = next;
                }
            }
        }
    }
}
