package io.torussm.routing.lanes;

import java.util.Arrays;

/** A binary heap of numbers, the lowest first. Not thread-safe. */
public final class LongHeap {
    private long[] keys = new long[256];
    private int size;

    /** Removes all numbers. */
    public void clear() {
        size = 0;
    }

    /** Checks whether the heap is empty. */
    public boolean isEmpty() {
        return size == 0;
    }

    /** Adds a number. */
    public void add(long key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        int slot = size++;
        while (slot > 0 && keys[(slot - 1) / 2] > key) {
            keys[slot] = keys[(slot - 1) / 2];
            slot = (slot - 1) / 2;
        }
        keys[slot] = key;
    }

    /** Removes the lowest number and returns it. The heap must not be empty. */
    public long poll() {
        long first = keys[0];
        long last = keys[--size];
        int slot = 0;
        for (int child = 1; child < size; child = 2 * slot + 1) {
            child += child + 1 < size && keys[child + 1] < keys[child] ? 1 : 0;
            if (keys[child] >= last) {
                break;
            }
            keys[slot] = keys[child];
            slot = child;
        }
        keys[slot] = last;
        return first;
    }
}
