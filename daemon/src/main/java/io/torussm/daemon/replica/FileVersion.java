package io.torussm.daemon.replica;

import java.util.Comparator;

/**
 * Which of two copies of a file is the newer one.
 *
 * @param term term of the mastership in which it was written, from 1; 0 if it was written before there was any
 * @param number within the mastership, from 1
 */
record FileVersion(long term, long number) implements Comparable<FileVersion> {
    static final FileVersion NONE = new FileVersion(0, 0);

    /** More than a new master every nanosecond for a hundred years; a greater number is invalid. */
    static final long MAX = 1L << 62;

    private static final Comparator<FileVersion> ORDER =
            Comparator.comparingLong(FileVersion::term).thenComparingLong(FileVersion::number);

    FileVersion {
        if (term < 0 || term > MAX || number < 0 || number > MAX) {
            throw new IllegalArgumentException("no version: " + term + "." + number);
        }
    }

    boolean isNewerThan(FileVersion other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(FileVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return term + "." + number;
    }
}
