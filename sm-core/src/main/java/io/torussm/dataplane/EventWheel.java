package io.torussm.dataplane;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The events in the order of their times, first in, first out within a nanosecond. A wheel of slots contains
 * those of the next 16 us, with constant cost. A heap contains the few later ones.
 */
final class EventWheel {
    private static final int SLOTS = 1 << 14;
    private static final int MASK = SLOTS - 1;
    private static final int NONE = -1;

    private final int[] first = new int[SLOTS];
    private final int[] last = new int[SLOTS];
    private final long[] occupied = new long[SLOTS / Long.SIZE];
    private final PriorityQueue<Late> late = new PriorityQueue<>();
    private long lateCount;

    private int[] next = new int[1024];
    private int[] type = new int[1024];
    private int[] argument = new int[1024];
    private int firstFree;
    private int slotEvents;

    private long nowNs;
    private int currentType;
    private int currentArgument;

    private record Late(long time, long order, int type, int argument) implements Comparable<Late> {
        @Override
        public int compareTo(Late other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
        }
    }

    EventWheel() {
        Arrays.fill(first, NONE);
        linkFree(0);
    }

    /** Returns the time of the last event, in nanoseconds. */
    long nowNs() {
        return nowNs;
    }

    /** Returns the type of the last event. */
    int type() {
        return currentType;
    }

    /** Returns the argument of the last event. */
    int argument() {
        return currentArgument;
    }

    boolean isEmpty() {
        return slotEvents == 0 && late.isEmpty();
    }

    /**
     * Adds an event.
     *
     * @param time not before now
     */
    void add(long time, int kind, int much) {
        if (time - nowNs >= SLOTS) {
            late.add(new Late(time, lateCount++, kind, much));
            return;
        }
        int event = firstFree;
        if (event == NONE) {
            event = grow();
        }
        firstFree = next[event];
        type[event] = kind;
        argument[event] = much;
        next[event] = NONE;
        int slot = (int) time & MASK;
        if (first[slot] == NONE) {
            first[slot] = event;
            occupied[slot >> 6] |= 1L << slot;
        } else {
            next[last[slot]] = event;
        }
        last[slot] = event;
        slotEvents++;
    }

    /**
     * Removes the next event.
     *
     * @param end time limit of events; MAX_VALUE for all of them
     * @return false if there is none until then; the time is {@code end} then, unless that is MAX_VALUE
     */
    boolean removeNext(long end) {
        int slot = (int) nowNs & MASK;
        if (first[slot] == NONE) {
            long time = nextTime();
            if (time > end || isEmpty()) {
                nowNs = end == Long.MAX_VALUE ? nowNs : Math.max(nowNs, end);
                return false;
            }
            nowNs = time;
            while (!late.isEmpty() && late.peek().time - nowNs < SLOTS) {
                Late due = late.remove();
                add(due.time, due.type, due.argument);
            }
            slot = (int) nowNs & MASK;
        } else if (nowNs > end) {
            return false;
        }
        int event = first[slot];
        first[slot] = next[event];
        if (first[slot] == NONE) {
            occupied[slot >> 6] &= ~(1L << slot);
        }
        currentType = type[event];
        currentArgument = argument[event];
        next[event] = firstFree;
        firstFree = event;
        slotEvents--;
        return true;
    }

    private long nextTime() {
        long later = late.isEmpty() ? Long.MAX_VALUE : late.peek().time;
        if (slotEvents == 0) {
            return later;
        }
        int slot = (int) nowNs & MASK;
        int word = slot >> 6;
        long bits = occupied[word] & -1L << slot;
        while (bits == 0) {
            word = word + 1 & occupied.length - 1;
            bits = occupied[word];
        }
        int found = (word << 6) + Long.numberOfTrailingZeros(bits);
        return Math.min(later, nowNs + (found - slot & MASK));
    }

    private int grow() {
        int before = next.length;
        next = Arrays.copyOf(next, 2 * before);
        type = Arrays.copyOf(type, 2 * before);
        argument = Arrays.copyOf(argument, 2 * before);
        linkFree(before);
        return firstFree;
    }

    private void linkFree(int from) {
        for (int i = from; i < next.length; i++) {
            next[i] = i + 1 < next.length ? i + 1 : NONE;
        }
        firstFree = from;
    }
}
