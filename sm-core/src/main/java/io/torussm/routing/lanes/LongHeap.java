package io.torussm.routing.lanes;

import java.util.Arrays;

/** Numbers in a heap, the lowest first. */
public final class LongHeap {
    private long[] keys = new long[256];
    private int size;

    /** Takes all out. */
    public void clear() {
        size = 0;
    }

    /** Checks whether the heap is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Puts a number in. */
    public void add(long key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        int at = size++;
        while (at > 0 && keys[(at - 1) / 2] > key) {
            keys[at] = keys[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        keys[at] = key;
    }

    /** Takes the lowest number out; there must be one. */
    public long poll() {
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
        return first;
    }
}
