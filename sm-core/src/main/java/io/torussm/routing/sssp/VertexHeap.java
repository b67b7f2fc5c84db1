package io.torussm.routing.sssp;

/**
 * A heap of vertices with four children to a node, whose smallest key is taken first. Which of several equal ones that is
 * decides ties between paths, so it is exactly OpenSM's: a vertex rises only above greater keys, and of equal children the last
 * one is the smallest.
 */
final class VertexHeap {
    private static final int CHILDREN = 4;
    static final long INFINITE = Long.MAX_VALUE;

    private final int[] vertices;

    /** By vertex: its place in the heap. */
    private final int[] places;

    /** By vertex. */
    private final long[] keys;

    private int size;

    /** An empty heap for vertices from 0 to {@code count - 1}. */
    VertexHeap(int count) {
        vertices = new int[count];
        places = new int[count];
        keys = new long[count];
    }

    /** Fills it with vertices whose keys are infinite: those from 1 on in order, and 0 at the end, if it takes part. */
    void fill(boolean hasFirst) {
        size = vertices.length - 1;
        for (int i = 0; i < size; i++) {
            set(i, i + 1);
            keys[i + 1] = INFINITE;
        }
        if (hasFirst) {
            keys[0] = INFINITE;
            set(size++, 0);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The key of a vertex, which it keeps when it is taken out. */
    long key(int vertex) {
        return keys[vertex];
    }

    /** Gives a vertex a smaller key. */
    void lower(int vertex, long key) {
        keys[vertex] = key;
        int place = places[vertex];
        while (place > 0 && key < keys[vertices[(place - 1) / CHILDREN]]) {
            set(place, vertices[(place - 1) / CHILDREN]);
            place = (place - 1) / CHILDREN;
        }
        set(place, vertex);
    }

    /** Takes the first one out. */
    int take() {
        int first = vertices[0];
        int last = vertices[--size];
        int place = 0;
        for (int child = smallestChild(0);
                child >= 0 && keys[last] > keys[vertices[child]];
                child = smallestChild(place)) {
            set(place, vertices[child]);
            place = child;
        }
        set(place, last);
        return first;
    }

    /** The place of the smallest child of a place, the last one of several; -1 if it has none. */
    private int smallestChild(int place) {
        int smallest = -1;
        int end = Math.min(size, CHILDREN * place + CHILDREN + 1);
        for (int child = CHILDREN * place + 1; child < end; child++) {
            if (smallest < 0 || keys[vertices[child]] <= keys[vertices[smallest]]) {
                smallest = child;
            }
        }
        return smallest;
    }

    private void set(int place, int vertex) {
        vertices[place] = vertex;
        places[vertex] = place;
    }
}
