package io.torussm.routing.lash;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies between links in one lane, with counts so that routes can be taken out again.
 *
 * <p>Routes come in on trial: {@link #insert} and then {@link #keep} or {@link #undo}. Counts of a dependency that was there
 * before are not lowered by {@code undo}, as in OpenSM; so some stay when their routes are gone, and a link that is not used any more
 * may still be pointed to. That only makes the search for cycles stricter, and it decides on equal SLs.
 */
final class Lane {
    private final ShortestRoutes routes;
    private final @Nullable Vertex[] vertices;

    /** What is on the way of a search, and how far each has been looked at. */
    private final Vertex[] stack;

    private int searches;

    /** Whether a route on trial brought a dependency that was not there: without one it closes no cycle. */
    private boolean isGrown;

    /** A link in use, or one that was and is pointed to still. */
    private static final class Vertex {
        private Vertex[] next = new Vertex[2];
        private int[] counts = new int[2];
        private int size;
        private int uses;
        private boolean isNew = true;

        /** How many of the last in {@code next} are on trial; 0 if the vertex is. */
        private int onTrial;

        private int seenIn;
        private boolean isFinished;
        private int looked;

        /** The last place of a successor; -1 if it is none. */
        private int find(@Nullable Vertex successor) {
            int at = size - 1;
            while (at >= 0 && next[at] != successor) {
                at--;
            }
            return at;
        }

        /** Counts a successor, or adds it; returns whether it was added. */
        private boolean follow(Vertex successor) {
            int known = find(successor);
            if (known >= 0) {
                counts[known]++;
                return false;
            }
            if (size == next.length) {
                next = Arrays.copyOf(next, 2 * size);
                counts = Arrays.copyOf(counts, 2 * size);
            }
            next[size] = successor;
            counts[size++] = 1;
            onTrial += isNew ? 0 : 1;
            return true;
        }

        /** Lowers the count of a successor, or else of the first: what stays behind has to equal OpenSM's. */
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
        stack = new Vertex[routes.linkCount() + 1];
    }

    /** Takes in a route on trial. */
    void insert(int from, int to) {
        Vertex before = null;
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = use(link);
            if (before != null) {
                isGrown |= before.follow(vertex);
            }
            before = vertex;
            id = routes.target(link);
        }
    }

    private Vertex use(int link) {
        Vertex vertex = vertices[link];
        if (vertex == null) {
            vertex = new Vertex();
            vertices[link] = vertex;
        }
        vertex.uses++;
        return vertex;
    }

    /**
     * Takes in for good that packets come to a switch from each of some neighbours and go on to each other one of them, as those of
     * multicast do along a tree.
     */
    void insertTurns(int id, int[] neighbours) {
        for (int from : neighbours) {
            for (int to : neighbours) {
                if (from != to) {
                    Vertex in = use(routes.link(from, id));
                    Vertex out = use(routes.link(id, to));
                    in.isNew = false;
                    out.isNew = false;
                    in.follow(out);
                    in.onTrial = 0;
                }
            }
        }
    }

    /** The route that was inserted stays. */
    void keep(int from, int to) {
        isGrown = false;
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
        isGrown = false;
        for (int id = from; id != to; ) {
            int link = routes.link(id, to);
            Vertex vertex = vertices[link];
            if (vertex != null && vertex.isNew) {
                vertices[link] = null;
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

    /** Whether two routes that were inserted close a cycle. */
    boolean isCyclic(int from, int to) {
        searches++;
        return isGrown
                && (isCyclicFrom(vertices[routes.link(from, to)]) || isCyclicFrom(vertices[routes.link(to, from)]));
    }

    /** Whether there is a cycle at all. */
    boolean isCyclic() {
        searches++;
        return Arrays.stream(vertices).anyMatch(this::isCyclicFrom);
    }

    private boolean isCyclicFrom(@Nullable Vertex start) {
        if (start == null || start.seenIn == searches) {
            return false;
        }
        int depth = 0;
        begin(start);
        stack[depth++] = start;
        while (depth > 0) {
            Vertex vertex = stack[depth - 1];
            if (vertex.looked == vertex.size) {
                vertex.isFinished = true;
                depth--;
            } else {
                Vertex next = vertex.next[vertex.looked++];
                if (next.seenIn != searches) {
                    begin(next);
                    stack[depth++] = next;
                } else if (!next.isFinished) {
                    return true;
                }
            }
        }
        return false;
    }

    private void begin(Vertex vertex) {
        vertex.seenIn = searches;
        vertex.isFinished = false;
        vertex.looked = 0;
    }
}
