package io.torussm.routing.lash;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies between links in one lane, with counts so that routes can be removed again. Links are kept in
 * a topological order: no link waits for an earlier link. If a new dependency contradicts the order, links are
 * moved (Marchetti-Spaccamela, Nanni, Rohnert, "Maintaining a topological order under edge insertions", 1996).
 * If no such order exists, the dependency closes a cycle. A vertex is a link of this lane in one direction.
 *
 * <p>Routes are inserted on trial: {@link #insert} and then {@link #keep} or {@link #undo}. As in OpenSM, {@code
 * undo} does not lower the counts of dependencies that existed before. So some dependencies stay when their
 * routes are removed, and an unused link may still be a successor. This only makes the search for cycles
 * stricter. It is necessary for SLs equal to OpenSM's.
 */
final class Lane {
    private final ShortestRoutes routes;
    /** By link, numbered over all switches: its vertex; null for an unused link. */
    private final @Nullable Vertex[] vertices;

    /** All vertices in topological order (no vertex waits for an earlier one), unless a cycle is on trial. */
    private Vertex[] order = new Vertex[16];

    private int count;

    /** Vertices without successors, for reuse; they keep their places in the order. */
    private final Deque<Vertex> freeVertices = new ArrayDeque<>();

    /** A buffer: the vertices that a search reached, or that move. */
    private final List<Vertex> vertexBuffer = new ArrayList<>();

    /** The number of searches, which marks the vertices of the current search. */
    private int searches;

    /** True if the last insertion closes a cycle. */
    private boolean isCyclic;

    /** A link in use, or an unused link that is still a successor of another link. */
    private static final class Vertex {
        /** The successors: links for which packets on this link wait. */
        private Vertex[] next = new Vertex[2];
        /** The number of routes with each successor. */
        private int[] counts = new int[2];

        private int size;
        /** The number of routes over this link. */
        private int uses;
        /** True until a route over this link is kept. */
        private boolean isNew = true;

        /** The number of successors, at the end of {@code next}, that are on trial; 0 if the vertex itself is new. */
        private int trialCount;

        /** The index in {@link #order}. */
        private int place;

        /** The number of the last search that reached this vertex. */
        private int lastSearch;

        /** Returns the last index of a successor; -1 if the vertex is no successor. */
        private int find(@Nullable Vertex successor) {
            int i = size - 1;
            while (i >= 0 && next[i] != successor) {
                i--;
            }
            return i;
        }

        /** Adds a successor. */
        private void add(Vertex successor) {
            if (size == next.length) {
                next = Arrays.copyOf(next, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            next[size] = successor;
            counts[size++] = 1;
            trialCount += isNew ? 0 : 1;
        }

        /** Lowers the count of a successor; of the first successor if the vertex is none, as OpenSM does. */
        private void lowerSuccessorCount(@Nullable Vertex successor) {
            int i = Math.max(0, find(successor));
            if (size > 0 && --counts[i] == 0) {
                System.arraycopy(next, i + 1, next, i, size - i - 1);
                System.arraycopy(counts, i + 1, counts, i, size - i - 1);
                size--;
            }
        }
    }

    Lane(ShortestRoutes routes) {
        this.routes = routes;
        vertices = new Vertex[routes.linkCount()];
    }

    /**
     * Inserts a route on trial.
     *
     * @param from id of the first switch
     * @param to id of the last switch
     */
    void insert(int from, int to) {
        Vertex previous = null;
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = useVertex(link);
            if (previous != null) {
                addDependency(previous, vertex);
            }
            previous = vertex;
            id = routes.target(link);
        }
    }

    private Vertex useVertex(int link) {
        Vertex vertex = vertices[link];
        if (vertex == null) {
            vertex = freeVertices.isEmpty() ? newVertex() : freeVertices.pop();
            vertices[link] = vertex;
        }
        vertex.uses++;
        return vertex;
    }

    /** Returns a new vertex at the end of the order. */
    private Vertex newVertex() {
        if (count == order.length) {
            order = Arrays.copyOf(order, 2 * count);
        }
        Vertex vertex = new Vertex();
        vertex.place = count;
        order[count++] = vertex;
        return vertex;
    }

    /** Counts a dependency, which is added if it is new. */
    private void addDependency(Vertex held, Vertex next) {
        int known = held.find(next);
        if (known >= 0) {
            held.counts[known]++;
        } else {
            isCyclic = isCyclic || !putBefore(held, next);
            held.add(next);
        }
    }

    /**
     * Changes the order so that {@code held} is before {@code next}. Returns false if {@code next} already depends on
     * {@code held}, so that no such order exists.
     */
    private boolean putBefore(Vertex held, Vertex next) {
        if (held.place < next.place) {
            return true;
        }
        searches++;
        vertexBuffer.clear();
        markReached(next);
        for (int head = 0; head < vertexBuffer.size(); head++) {
            Vertex vertex = vertexBuffer.get(head);
            for (int j = 0; j < vertex.size; j++) {
                Vertex successor = vertex.next[j];
                if (successor == held) {
                    return false;
                } else if (successor.place < held.place && successor.lastSearch != searches) {
                    markReached(successor);
                }
            }
        }
        moveBehind(held, next.place);
        return true;
    }

    private void markReached(Vertex vertex) {
        vertex.lastSearch = searches;
        vertexBuffer.add(vertex);
    }

    /**
     * Moves the vertices that the search reached, from an index on, directly behind a vertex. Their order among each
     * other stays.
     */
    private void moveBehind(Vertex vertexBefore, int from) {
        int end = vertexBefore.place;
        int to = from;
        vertexBuffer.clear();
        for (int i = from; i <= end; i++) {
            Vertex vertex = order[i];
            if (vertex.lastSearch == searches) {
                vertexBuffer.add(vertex);
            } else {
                place(vertex, to++);
            }
        }
        for (Vertex vertex : vertexBuffer) {
            place(vertex, to++);
        }
    }

    private void place(Vertex vertex, int i) {
        vertex.place = i;
        order[i] = vertex;
    }

    /**
     * Inserts permanently the dependencies of packets from each neighbour to each other neighbour, as multicast
     * packets along a tree have them.
     *
     * @param id switch
     * @param neighbours ids of its neighbours in the tree
     */
    void insertTurns(int id, int[] neighbours) {
        for (int from : neighbours) {
            for (int to : neighbours) {
                if (from != to) {
                    Vertex input = useVertex(routes.link(from, id));
                    Vertex output = useVertex(routes.link(id, to));
                    input.isNew = false;
                    output.isNew = false;
                    addDependency(input, output);
                    input.trialCount = 0;
                }
            }
        }
    }

    /** Keeps a route that is on trial. */
    void keep(int from, int to) {
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = vertices[link];
            if (vertex != null) {
                vertex.isNew = false;
                vertex.trialCount = 0;
            }
            id = routes.target(link);
        }
    }

    /** Undoes the insertion of a route that is on trial. */
    void undo(int from, int to) {
        isCyclic = false;
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = vertices[link];
            if (vertex != null && vertex.isNew) {
                vertices[link] = null;
                vertex.size = 0;
                vertex.uses = 0;
                freeVertices.push(vertex);
            } else if (vertex != null) {
                vertex.size -= vertex.trialCount;
                vertex.trialCount = 0;
                vertex.uses--;
            }
            id = routes.target(link);
        }
    }

    /** Removes a route that was kept. */
    void remove(int from, int to) {
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            int next = routes.target(link);
            Vertex vertex = vertices[link];
            if (vertex != null && vertex.uses == 1) {
                vertices[link] = null;
            } else if (vertex != null) {
                vertex.uses--;
                if (next != to) {
                    vertex.lowerSuccessorCount(vertices[routes.link(next, to)]);
                }
            }
            id = next;
        }
    }

    /** Checks whether a route on trial, or a kept turn, closes a cycle. */
    boolean isCyclic() {
        return isCyclic;
    }
}
