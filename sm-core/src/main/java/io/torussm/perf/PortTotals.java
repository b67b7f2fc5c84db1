package io.torussm.perf;

import java.util.Arrays;

/**
 * The totals of the counters of the ports of one device, in 64 bits, for fields of any width, and across
 * clearings. A total begins with the value of the first reading, so that it equals the counter of the device until that
 * is cleared. Not thread-safe; {@link DeviceCounters} guards it.
 *
 * <p>If a value is below the previous one, either the counters were cleared, or the field wrapped. IBA requires
 * counters to stop at their highest value, but not all devices comply. The fields wrapped if all counters that fell
 * count traffic and fell from the last quarter of the field to the first. Counts between the last reading and
 * a clearing are lost. Arrays are {@code [port * Counter.COUNT + counter]}.
 */
final class PortTotals {
    private final long[] totals;

    /** Values of the last reading. */
    private final long[] lastValues;

    /** Widths of the fields of the last reading in bits; 0 before the first. */
    private final byte[] width;

    /** True if the last reading was the highest value of the field. */
    private final boolean[] full;

    PortTotals(int ports) {
        totals = new long[ports * Counter.COUNT];
        lastValues = new long[ports * Counter.COUNT];
        width = new byte[ports * Counter.COUNT];
        full = new boolean[ports * Counter.COUNT];
    }

    /**
     * Adds the counts since the last reading.
     *
     * @param deltas receives the counts, by index of the counter; 0 for counters that the reading does not contain
     * @return whether another program cleared counters
     */
    boolean add(int port, PortReading reading, long[] deltas) {
        boolean isCleared = isCleared(port, reading);
        for (Counter counter : Counter.all()) {
            deltas[counter.index()] = reading.has(counter) ? add(index(port, counter), counter, reading, isCleared) : 0;
        }
        return isCleared;
    }

    /** Checks whether a counter fell without a wrap. */
    private boolean isCleared(int port, PortReading reading) {
        for (Counter counter : Counter.all()) {
            int at = index(port, counter);
            if (reading.has(counter)
                    && width[at] == reading.width(counter)
                    && Long.compareUnsigned(reading.value(counter), lastValues[at]) < 0
                    && !isWrap(reading, counter, lastValues[at])) {
                return true;
            }
        }
        return false;
    }

    private long add(int at, Counter counter, PortReading reading, boolean isCleared) {
        long value = reading.value(counter);
        long previousValue = lastValues[at];
        int previousWidth = width[at];
        lastValues[at] = value;
        width[at] = (byte) reading.width(counter);
        full[at] = reading.isFull(counter);
        if (previousWidth == 0) {
            totals[at] = value;
            return 0;
        } else if (previousWidth != width[at]) {
            return 0; // The counter was read from another attribute than before, so that values cannot be compared.
        }
        long delta = delta(previousValue, value, previousWidth, isCleared);
        totals[at] += delta;
        return delta;
    }

    private static long delta(long previousValue, long value, int width, boolean isCleared) {
        if (Long.compareUnsigned(value, previousValue) >= 0) {
            return value - previousValue;
        }
        return isCleared ? value : PortReading.max(width) - previousValue + value + 1;
    }

    private static boolean isWrap(PortReading reading, Counter counter, long previousValue) {
        long quarter = PortReading.max(reading.width(counter)) >>> 2;
        return counter.isTraffic()
                && reading.width(counter) <= Integer.SIZE
                && previousValue > 3 * quarter
                && previousValue != PortReading.max(reading.width(counter))
                && reading.value(counter) < quarter;
    }

    /** Notes that this program cleared the counters of a reading, so that their next values count from 0. */
    void onCleared(int port, PortReading clearedCounters) {
        for (Counter counter : Counter.all()) {
            if (clearedCounters.has(counter)) {
                lastValues[index(port, counter)] = 0;
                full[index(port, counter)] = false;
            }
        }
    }

    /** Resets the totals for an operator. */
    void restart(int port) {
        Arrays.fill(totals, port * Counter.COUNT, (port + 1) * Counter.COUNT, 0);
    }

    long total(int port, Counter counter) {
        return totals[index(port, counter)];
    }

    boolean isKnown(int port, Counter counter) {
        return width[index(port, counter)] != 0;
    }

    /** Checks whether a counter is at the highest value of its field, so that its total is too small. */
    boolean isFull(int port, Counter counter) {
        return full[index(port, counter)];
    }

    private static int index(int port, Counter counter) {
        return port * Counter.COUNT + counter.index();
    }
}
