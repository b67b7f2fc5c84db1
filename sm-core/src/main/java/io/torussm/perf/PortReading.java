package io.torussm.perf;

import java.util.Arrays;

/**
 * What one answer says of the counters of a port; filled and used again, so that polling makes no garbage. Confined to whoever fills it.
 */
public final class PortReading {
    private final long[] values = new long[Counter.COUNT];
    private final byte[] bits = new byte[Counter.COUNT];

    /** Forgets all. */
    public void clear() {
        Arrays.fill(bits, (byte) 0);
    }

    /**
     * Notes a counter.
     *
     * @param value as it was read, unsigned
     * @param width of the field in bits, 1 to 64
     */
    public void set(Counter counter, long value, int width) {
        if (width < 1 || width > Long.SIZE) {
            throw new IllegalArgumentException("a counter has 1 to 64 bits: " + width);
        }
        values[counter.index()] = value;
        bits[counter.index()] = (byte) width;
    }

    /** Whether a counter was read. */
    public boolean has(Counter counter) {
        return bits[counter.index()] != 0;
    }

    /** What was read of a counter, if it was. */
    public long value(Counter counter) {
        return values[counter.index()];
    }

    /** Bits of the field. */
    int width(Counter counter) {
        return bits[counter.index()];
    }

    /** Whether a counter stands at the highest value of its field, where it stays until somebody clears it (IBA 16.1.3.5). */
    boolean isFull(Counter counter) {
        return has(counter) && value(counter) == max(width(counter));
    }

    /** Whether a counter has passed so many percent of its field. */
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
