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
    private int[] what = new int[1024];
    private int[] amount = new int[1024];
    private int free;
    private int waiting;

    private long now;
    private int takenWhat;
    private int takenAmount;

    private record Late(long time, long order, int what, int amount) implements Comparable<Late> {
        @Override
        public int compareTo(Late other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
        }
    }

    EventWheel() {
        Arrays.fill(first, NONE);
        chain(0);
    }

    /** Returns the time of the last event, in nanoseconds. */
    long now() {
        return now;
    }

    /** Returns the type of the last event. */
    int what() {
        return takenWhat;
    }

    /** Returns the argument of the last event. */
    int amount() {
        return takenAmount;
    }

    boolean isEmpty() {
        return waiting == 0 && late.isEmpty();
    }

    /**
     * Adds an event.
     *
     * @param time not before now
     */
    void add(long time, int kind, int much) {
        if (time - now >= SLOTS) {
            late.add(new Late(time, lateCount++, kind, much));
            return;
        }
        int event = free;
        if (event == NONE) {
            event = grow();
        }
        free = next[event];
        what[event] = kind;
        amount[event] = much;
        next[event] = NONE;
        int slot = (int) time & MASK;
        if (first[slot] == NONE) {
            first[slot] = event;
            occupied[slot >> 6] |= 1L << slot;
        } else {
            next[last[slot]] = event;
        }
        last[slot] = event;
        waiting++;
    }

    /**
     * Removes the next event.
     *
     * @param end time limit of events; MAX_VALUE for all of them
     * @return false if there is none until then; the time is {@code end} then, unless that is MAX_VALUE
     */
    boolean take(long end) {
        int slot = (int) now & MASK;
        if (first[slot] == NONE) {
            long time = nextTime();
            if (time > end || isEmpty()) {
                now = end == Long.MAX_VALUE ? now : Math.max(now, end);
                return false;
            }
            now = time;
            while (!late.isEmpty() && late.peek().time - now < SLOTS) {
                Late due = late.remove();
                add(due.time, due.what, due.amount);
            }
            slot = (int) now & MASK;
        } else if (now > end) {
            return false;
        }
        int event = first[slot];
        first[slot] = next[event];
        if (first[slot] == NONE) {
            occupied[slot >> 6] &= ~(1L << slot);
        }
        takenWhat = what[event];
        takenAmount = amount[event];
        next[event] = free;
        free = event;
        waiting--;
        return true;
    }

    private long nextTime() {
        long later = late.isEmpty() ? Long.MAX_VALUE : late.peek().time;
        if (waiting == 0) {
            return later;
        }
        int slot = (int) now & MASK;
        int word = slot >> 6;
        long bits = occupied[word] & -1L << slot;
        while (bits == 0) {
            word = word + 1 & occupied.length - 1;
            bits = occupied[word];
        }
        int found = (word << 6) + Long.numberOfTrailingZeros(bits);
        return Math.min(later, now + (found - slot & MASK));
    }

    private int grow() {
        int before = next.length;
        next = Arrays.copyOf(next, 2 * before);
        what = Arrays.copyOf(what, 2 * before);
        amount = Arrays.copyOf(amount, 2 * before);
        chain(before);
        return free;
    }

    private void chain(int from) {
        for (int i = from; i < next.length; i++) {
            next[i] = i + 1 < next.length ? i + 1 : NONE;
        }
        free = from;
    }
}
