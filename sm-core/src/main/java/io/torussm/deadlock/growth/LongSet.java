package io.torussm.deadlock.growth;

import java.util.Arrays;

/** A set of non-negative numbers that only grows. */
final class LongSet {
    private static final long EMPTY = -1;

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
        int slot = (int) (number * 0x9e3779b97f4a7c15L >>> 32) & slots.length - 1;
        while (slots[slot] != EMPTY && slots[slot] != number) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
