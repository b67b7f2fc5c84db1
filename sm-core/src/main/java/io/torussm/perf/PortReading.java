package io.torussm.perf;

import java.util.Arrays;

/**
 * The counters of a port from one or several answers. An instance is reused, so that reading makes no garbage. Not
 * thread-safe.
 */
public final class PortReading {
    /** Values by index of the counter, unsigned. */
    private final long[] values = new long[Counter.COUNT];

    /** Widths of the fields in bits, by index of the counter; 0 if the counter was not read. */
    private final byte[] bits = new byte[Counter.COUNT];

    /** Removes all counters. */
    public void clear() {
        Arrays.fill(bits, (byte) 0);
    }

    /**
     * Stores a counter.
     *
     * @param value unsigned value
     * @param width width of the field in bits, 1 to 64
     */
    public void set(Counter counter, long value, int width) {
        if (width < 1 || width > Long.SIZE) {
            throw new IllegalArgumentException("a counter has 1 to 64 bits: " + width);
        }
        values[counter.index()] = value;
        bits[counter.index()] = (byte) width;
    }

    /** Checks whether a counter was read. */
    public boolean has(Counter counter) {
        return bits[counter.index()] != 0;
    }

    /** Returns the value of a counter that was read. */
    public long value(Counter counter) {
        return values[counter.index()];
    }

    /** Returns the width of the field of a counter in bits; 0 if it was not read. */
    int width(Counter counter) {
        return bits[counter.index()];
    }

    /**
     * Checks whether a counter is at the highest value of its field, where it stays until it is cleared (IBA
     * 16.1.3.5).
     */
    boolean isFull(Counter counter) {
        return has(counter) && value(counter) == max(width(counter));
    }

    /** Checks whether a counter was read and is at least a percentage of the highest value of its field. */
    boolean isOver(Counter counter, int percent) {
        return has(counter)
                && Long.compareUnsigned(
                                value(counter),
                                Long.divideUnsigned(max(width(counter)), 100) * percent
                                        + Long.remainderUnsigned(max(width(counter)), 100) * percent / 100)
                        >= 0;
    }

    static long max(int width) {
        return width == Long.SIZE ? -1L : (1L << width) - 1;
    }
}
