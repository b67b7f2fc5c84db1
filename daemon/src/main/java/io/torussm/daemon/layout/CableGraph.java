package io.torussm.daemon.layout;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The graph of switches and the cables between them. The vertices are numbered from 0 in ascending order of the GUIDs,
 * so that a layout does not depend on the order of discovery. Immutable.
 */
public final class CableGraph {
    /** Distance of an unreachable switch. */
    static final int UNREACHABLE = Integer.MAX_VALUE;

    private final long[] guids;

    /** Number of hosts by vertex. */
    private final int[] hosts;

    /** Neighbours by vertex, in ascending order. */
    private final int[][] neighbours;

    /** The builder of a graph. Switches and cables may be added in any order. */
    public static final class Builder {
        private final Map<Long, Vertex> vertices = new TreeMap<>(Long::compareUnsigned);

        private static final class Vertex {
            final Set<Long> neighbours = new HashSet<>();
            int hosts;
        }

        private Vertex vertex(long guid) {
            return vertices.computeIfAbsent(guid, any -> new Vertex());
        }

        /** Adds a number of hosts to the hosts of a switch. */
        public Builder add(long guid, int hosts) {
            vertex(guid).hosts += hosts;
            return this;
        }

        /** Connects two switches by one or several cables. A cable from a switch to itself is ignored. */
        public Builder link(long a, long b) {
            if (a != b) {
                vertex(a).neighbours.add(b);
                vertex(b).neighbours.add(a);
            }
            return this;
        }

        public CableGraph build() {
            return new CableGraph(vertices);
        }
    }

    private CableGraph(Map<Long, Builder.Vertex> vertices) {
        guids = vertices.keySet().stream().mapToLong(guid -> guid).toArray();
        hosts = vertices.values().stream().mapToInt(vertex -> vertex.hosts).toArray();
        Map<Long, Integer> index = new TreeMap<>();
        for (int v = 0; v < guids.length; v++) {
            index.put(guids[v], v);
        }
        neighbours = vertices.values().stream()
                .map(vertex -> vertex.neighbours.stream()
                        .mapToInt(guid -> Objects.requireNonNull(index.get(guid)))
                        .sorted()
                        .toArray())
                .toArray(int[][]::new);
    }

    int size() {
        return guids.length;
    }

    long guid(int v) {
        return guids[v];
    }

    int hosts(int v) {
        return hosts[v];
    }

    /** Returns the different neighbours of a vertex in ascending order. The caller must not change the array. */
    int[] neighbours(int v) {
        return neighbours[v];
    }

    /** Returns the number of pairs of switches with at least one cable. */
    int links() {
        return Arrays.stream(neighbours).mapToInt(each -> each.length).sum() / 2;
    }

    /**
     * Computes the distances of all vertices from the nearest vertex of a set.
     *
     * @param isStart true for the vertices of the set
     * @return number of cables by vertex; {@link #UNREACHABLE} for a vertex that cannot be reached
     */
    int[] hops(IntPredicate isStart) {
        int[] hops = new int[size()];
        int[] queue = new int[size()];
        int tail = 0;
        for (int v = 0; v < size(); v++) {
            hops[v] = isStart.test(v) ? 0 : UNREACHABLE;
            if (hops[v] == 0) {
                queue[tail++] = v;
            }
        }
        for (int head = 0; head < tail; head++) {
            for (int next : neighbours[queue[head]]) {
                if (hops[next] == UNREACHABLE) {
                    hops[next] = hops[queue[head]] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return hops;
    }
}
