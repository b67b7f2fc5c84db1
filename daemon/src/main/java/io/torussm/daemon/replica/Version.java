package io.torussm.daemon.replica;

import java.util.Comparator;

/**
 * Which of two copies of a file is the newer one.
 *
 * @param term of the reign in which it was written, from 1; 0 if it was written before there was any
 * @param number within the reign, from 1
 */
record Version(long term, long number) implements Comparable<Version> {
    static final Version NONE = new Version(0, 0);

    /** More than a new master every nanosecond for a hundred years; who says more has invented it. */
    static final long MAX = 1L << 62;

    private static final Comparator<Version> ORDER =
            Comparator.comparingLong(Version::term).thenComparingLong(Version::number);

    Version {
        if (term < 0 || term > MAX || number < 0 || number > MAX) {
            throw new IllegalArgumentException("no version: " + term + "." + number);
        }
    }

    boolean isNewerThan(Version other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return term + "." + number;
    }
}
