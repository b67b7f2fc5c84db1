package io.torussm.daemon.replica;

import java.util.Comparator;

/**
 * The version of a state file, by which the newer one of two copies is selected. Versions are ordered by term, then by
 * number.
 *
 * @param term term of the mastership in which the file was written, from 1; 0 before the first mastership
 * @param number number of the version within the term, from 1; 0 before the first version
 */
record FileVersion(long term, long number) implements Comparable<FileVersion> {
    /** The version of a file that was never replicated. */
    static final FileVersion NONE = new FileVersion(0, 0);

    /** Max value of term and number: a new master each nanosecond would not reach it in a hundred years. */
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
