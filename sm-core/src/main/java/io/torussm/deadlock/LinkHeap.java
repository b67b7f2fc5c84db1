package io.torussm.deadlock;

import java.util.Arrays;

/** Links by cost, lowest first; of equal cost by load, then by number. */
final class LinkHeap {
    private static final int LINK_BITS = 23;
    private static final int LOAD_BITS = 27;
    private static final long LINKS = (1L << LINK_BITS) - 1;
    private static final long LOADS = (1L << LOAD_BITS) - 1;
    private static final int FAR = (1 << 63 - LINK_BITS - LOAD_BITS) - 1;

    private long[] keys = new long[256];
    private int size;

    void clear() {
        size = 0;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Adds a link. Hops beyond some thousands, and loads beyond some millions, count as equal. */
    void add(int hops, int load, int link) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        long key = (long) Math.min(hops, FAR) << LOAD_BITS + LINK_BITS | Math.min(load, LOADS) << LINK_BITS | link;
        int at = size++;
        while (at > 0 && keys[(at - 1) / 2] > key) {
            keys[at] = keys[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        keys[at] = key;
    }

    /** Takes the first link out. */
    int poll() {
        long first = keys[0];
        long last = keys[--size];
        int at = 0;
        for (int child = 1; child < size; child = 2 * at + 1) {
            child += child + 1 < size && keys[child + 1] < keys[child] ? 1 : 0;
            if (keys[child] >= last) {
                break;
            }
            keys[at] = keys[child];
            at = child;
        }
        keys[at] = last;
        return (int) (first & LINKS);
    }
}
