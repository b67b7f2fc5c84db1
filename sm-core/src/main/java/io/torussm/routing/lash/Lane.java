package io.torussm.routing.lash;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies between links in one lane, with counts so that routes can be removed again. Links are kept
 * in a topological order: none waits for an earlier one. A dependency against the order moves the links in
 * between that are waited for (Marchetti-Spaccamela, Nanni, Rohnert, "Maintaining a topological order under
 * edge insertions", 1996). If there is no such order, the dependency closes a cycle.
 *
 * <p>Routes are inserted on trial: {@link #insert} and then {@link #keep} or {@link #undo}. As in OpenSM,
 * {@code undo} does not lower the counts of dependencies that existed before. So some stay when their routes
 * are removed, and an unused link may still be a successor. This only makes the search for cycles stricter,
 * and it is needed for SLs equal to OpenSM's.
 */
final class Lane {
    private final ShortestRoutes routes;
    private final @Nullable Vertex[] vertices;

    /** All vertices in topological order (none waits for an earlier one), unless a cycle is on trial. */
    private Vertex[] order = new Vertex[16];

    private int count;

    /** Vertices without edges, for reuse. */
    private final Deque<Vertex> spare = new ArrayDeque<>();

    /** The vertices that a search found, or that move. */
    private final List<Vertex> found = new ArrayList<>();

    private int searches;

    /** True if the last insertion closes a cycle. */
    private boolean isCyclic;

    /** A link in use, or one that was and is pointed to still. */
    private static final class Vertex {
        private Vertex[] next = new Vertex[2];
        private int[] counts = new int[2];
        private int size;
        private int uses;
        private boolean isNew = true;

        /** How many of the last in {@code next} are on trial; 0 if the vertex is. */
        private int onTrial;

        /** In {@link #order}. */
        private int place;

        private int seenIn;

        /** Returns the last place of a successor; -1 if it is none. */
        private int find(@Nullable Vertex successor) {
            int at = size - 1;
            while (at >= 0 && next[at] != successor) {
                at--;
            }
            return at;
        }

        /** Adds a successor. */
        private void add(Vertex successor) {
            if (size == next.length) {
                next = Arrays.copyOf(next, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            next[size] = successor;
            counts[size++] = 1;
            onTrial += isNew ? 0 : 1;
        }

        /** Lowers the count of a successor, or else of the first: the remaining counts must equal OpenSM's. */
        private void leave(@Nullable Vertex successor) {
            int at = Math.max(0, find(successor));
            if (size > 0 && --counts[at] == 0) {
                System.arraycopy(next, at + 1, next, at, size - at - 1);
                System.arraycopy(counts, at + 1, counts, at, size - at - 1);
                size--;
            }
        }
    }

    Lane(ShortestRoutes routes) {
        this.routes = routes;
        vertices = new Vertex[routes.linkCount()];
    }

    /** Takes in a route on trial. */
    void insert(int from, int to) {
        Vertex previous = null;
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = use(link);
            if (previous != null) {
                follow(previous, vertex);
            }
            previous = vertex;
            id = routes.target(link);
        }
    }

    private Vertex use(int link) {
        Vertex vertex = vertices[link];
        if (vertex == null) {
            vertex = spare.isEmpty() ? last() : spare.pop();
            vertices[link] = vertex;
        }
        vertex.uses++;
        return vertex;
    }

    /** Returns a new vertex, after all others. */
    private Vertex last() {
        if (count == order.length) {
            order = Arrays.copyOf(order, 2 * count);
        }
        Vertex vertex = new Vertex();
        vertex.place = count;
        order[count++] = vertex;
        return vertex;
    }

    /** Counts a dependency, or adds it. */
    private void follow(Vertex one, Vertex next) {
        int known = one.find(next);
        if (known >= 0) {
            one.counts[known]++;
        } else {
            isCyclic = isCyclic || !putBefore(one, next);
            one.add(next);
        }
    }

    /** Moves a vertex before another one in the order; false if that is impossible. */
    private boolean putBefore(Vertex one, Vertex next) {
        if (one.place < next.place) {
            return true;
        }
        searches++;
        found.clear();
        see(next);
        for (int at = 0; at < found.size(); at++) {
            Vertex vertex = found.get(at);
            for (int i = 0; i < vertex.size; i++) {
                Vertex after = vertex.next[i];
                if (after == one) {
                    return false;
                } else if (after.place < one.place && after.seenIn != searches) {
                    see(after);
                }
            }
        }
        moveBehind(one, next.place);
        return true;
    }

    private void see(Vertex vertex) {
        vertex.seenIn = searches;
        found.add(vertex);
    }

    /** Moves the visited vertices from a place on to directly behind a vertex, in the same order. */
    private void moveBehind(Vertex one, int from) {
        int end = one.place;
        int to = from;
        found.clear();
        for (int at = from; at <= end; at++) {
            Vertex vertex = order[at];
            if (vertex.seenIn == searches) {
                found.add(vertex);
            } else {
                place(vertex, to++);
            }
        }
        for (Vertex vertex : found) {
            place(vertex, to++);
        }
    }

    private void place(Vertex vertex, int at) {
        vertex.place = at;
        order[at] = vertex;
    }

    /**
     * Inserts permanently the dependencies of packets that arrive from each of some neighbours and leave to each other
     * one, as multicast packets along a tree do.
     */
    void insertTurns(int id, int[] neighbours) {
        for (int from : neighbours) {
            for (int to : neighbours) {
                if (from != to) {
                    Vertex in = use(routes.link(from, id));
                    Vertex out = use(routes.link(id, to));
                    in.isNew = false;
                    out.isNew = false;
                    follow(in, out);
                    in.onTrial = 0;
                }
            }
        }
    }

    /** Keeps the route that was inserted. */
    void keep(int from, int to) {
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = vertices[link];
            if (vertex != null) {
                vertex.isNew = false;
                vertex.onTrial = 0;
            }
            id = routes.target(link);
        }
    }

    /** Takes back the route that was inserted. */
    void undo(int from, int to) {
        isCyclic = false;
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = vertices[link];
            if (vertex != null && vertex.isNew) {
                vertices[link] = null;
                vertex.size = 0;
                vertex.uses = 0;
                spare.push(vertex);
            } else if (vertex != null) {
                vertex.size -= vertex.onTrial;
                vertex.onTrial = 0;
                vertex.uses--;
            }
            id = routes.target(link);
        }
    }

    /** Takes out a route that was kept. */
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
                    vertex.leave(vertices[routes.link(next, to)]);
                }
            }
            id = next;
        }
    }

    /** Checks whether an insertion that was not undone closes a cycle. */
    boolean isCyclic() {
        return isCyclic;
    }
}
