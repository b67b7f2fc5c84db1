package io.torussm.daemon.layout;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * The graph of switches and the cables between them. Switches are numbered by GUID, so that nothing depends
 * on the order of discovery. Immutable.
 */
public final class CableGraph {
    /** Farther than any switch is. */
    static final int FAR = Integer.MAX_VALUE;

    private final long[] guids;
    private final int[] hosts;
    private final int[][] neighbours;

    /** Collects switches and cables in any order. */
    public static final class Builder {
        private final Map<Long, Vertex> vertices = new TreeMap<>(Long::compareUnsigned);

        private static final class Vertex {
            final Set<Long> neighbours = new HashSet<>();
            int hosts;
        }

        private Vertex vertex(long guid) {
            return vertices.computeIfAbsent(guid, any -> new Vertex());
        }

        /** Adds hosts to a switch, in addition to earlier ones. */
        public Builder add(long guid, int hosts) {
            vertex(guid).hosts += hosts;
            return this;
        }

        /** Returns a cable, or several, between two switches. */
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

    /** Returns the neighbours, each once, ascending. Must not be written. */
    int[] neighbours(int v) {
        return neighbours[v];
    }

    /** Returns the number of pairs of switches with a cable. */
    int links() {
        return Arrays.stream(neighbours).mapToInt(each -> each.length).sum() / 2;
    }

    /** Returns how many cables switches are away from the nearest of some; {@link #FAR} where none can be reached. */
    int[] hops(IntPredicate from) {
        int[] hops = new int[size()];
        int[] queue = new int[size()];
        int tail = 0;
        for (int v = 0; v < size(); v++) {
            hops[v] = from.test(v) ? 0 : FAR;
            if (hops[v] == 0) {
                queue[tail++] = v;
            }
        }
        for (int head = 0; head < tail; head++) {
            for (int next : neighbours[queue[head]]) {
                if (hops[next] == FAR) {
                    hops[next] = hops[queue[head]] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return hops;
    }
}
