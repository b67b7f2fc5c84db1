package io.torussm.deadlock.growth;

import java.util.Arrays;

/** A set of non-negative numbers without removal: a hash table with open addressing and linear probing. */
final class LongSet {
    private static final long EMPTY = -1;

    /** [slot] number or {@link #EMPTY}. The length is a power of two; at most half of the slots are used. */
    private long[] slots = emptySlots(1 << 10);

    private int size;

    private static long[] emptySlots(int count) {
        long[] slots = new long[count];
        Arrays.fill(slots, EMPTY);
        return slots;
    }

    void add(long number) {
        if (2 * size >= slots.length) {
            long[] old = slots;
            slots = emptySlots(2 * old.length);
            size = 0;
            for (long each : old) {
                if (each != EMPTY) {
                    add(each);
                }
            }
        }
        int slot = slotOf(number);
        size += slots[slot] == EMPTY ? 1 : 0;
        slots[slot] = number;
    }

    boolean contains(long number) {
        return slots[slotOf(number)] == number;
    }

    /** Returns the slot of a number, or the slot where it would be added. */
    private int slotOf(long number) {
        // Fibonacci hashing: 2^64 divided by the golden ratio spreads numbers that differ in few bits
        int slot = (int) (number * 0x9e3779b97f4a7c15L >>> 32) & slots.length - 1;
        while (slots[slot] != EMPTY && slots[slot] != number) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
