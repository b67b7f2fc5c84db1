package io.torussm.sa;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The records of one answer, one after the other. A record is written in place, where {@link #next()} says, and counts
 * once {@link #commit()} is called; so a candidate that does not match costs nothing but its writing.
 */
final class RecordTable {
    private final int stride;
    private final int maxRecords;
    private byte[] bytes;
    private int count;
    private boolean overflown;

    /**
     * An empty table.
     *
     * @param stride bytes of a record, a multiple of 8
     * @param maxRecords more are not kept; that there was one more is noted
     */
    RecordTable(int stride, int maxRecords) {
        this.stride = stride;
        this.maxRecords = maxRecords;
        this.bytes = new byte[2 * stride];
    }

    /** Where the next record is to be written into {@link #bytes()}: that many bytes of zeros. */
    int next() {
        int at = count * stride;
        if (at + stride > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(2L * bytes.length, (maxRecords + 1L) * stride));
        }
        Arrays.fill(bytes, at, at + stride, (byte) 0);
        return at;
    }

    /** What {@link #next()} writes into; another array after each call of it. */
    byte[] bytes() {
        return bytes;
    }

    /** Keeps the record that was written last, if there is room for it. */
    void commit() {
        if (count == maxRecords) {
            overflown = true;
        } else {
            count++;
        }
    }

    /** Takes all records out but some, by their places; their order stays. */
    void retain(BitSet places) {
        int kept = 0;
        for (int i = places.nextSetBit(0); i >= 0 && i < count; i = places.nextSetBit(i + 1)) {
            System.arraycopy(bytes, i * stride, bytes, kept++ * stride, stride);
        }
        count = kept;
    }

    /** Whether there were more records than wanted: nothing that follows matters. */
    boolean isOverflown() {
        return overflown;
    }

    int count() {
        return count;
    }

    /** A copy of the records. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes, count * stride);
    }
}
