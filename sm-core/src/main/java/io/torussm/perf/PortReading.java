package io.torussm.perf;

import java.util.Arrays;

/**
 * The counters of a port in one answer. It is reused, so that polling makes no garbage. Confined to the
 * thread that fills it.
 */
public final class PortReading {
    private final long[] values = new long[Counter.COUNT];
    private final byte[] bits = new byte[Counter.COUNT];

    /** Clears it. */
    public void clear() {
        Arrays.fill(bits, (byte) 0);
    }

    /**
     * Stores a counter.
     *
     * @param value unsigned
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

    /** Returns the width of the field in bits. */
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

    /** Checks whether a counter exceeds a percentage of its field. */
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
