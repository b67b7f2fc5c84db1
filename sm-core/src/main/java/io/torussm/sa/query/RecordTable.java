package io.torussm.sa.query;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The records of one answer, one after the other. A record is written in place, where {@link #next()} says, and counts
 * once {@link #commit()} is called; so a candidate that does not match costs nothing but its writing.
 */
public final class RecordTable {
    private final int origin;
    private final int stride;
    private final int maxRecords;
    private byte[] bytes;
    private int count;
    private int toSkip;
    private boolean overflown;

    /**
     * Creates an empty table.
     *
     * @param stride bytes of a record, a multiple of 8
     * @param maxRecords more are not kept; that there was one more is remembered
     */
    public RecordTable(int stride, int maxRecords) {
        this(new byte[2 * stride], 0, stride, maxRecords);
    }

    private RecordTable(byte[] bytes, int origin, int stride, int maxRecords) {
        this.origin = origin;
        this.stride = stride;
        this.maxRecords = maxRecords;
        this.bytes = bytes;
    }

    /**
     * Returns an empty table of one record, which is written at its final place. The bytes behind it are
     * overwritten, too.
     *
     * @param bytes array with room for it
     * @param at offset of the record
     */
    public static RecordTable within(byte[] bytes, int at, int stride) {
        return new RecordTable(bytes, at, stride, 1);
    }

    /** Returns where the next record is to be written into {@link #bytes()}: that many bytes of zeros. */
    public int next() {
        int at = origin + count * stride;
        if (at + stride > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(2L * bytes.length, origin + (maxRecords + 1L) * stride));
        }
        Arrays.fill(bytes, at, at + stride, (byte) 0);
        return at;
    }

    /** Returns the array that {@link #next()} writes; another one after each call of it. */
    public byte[] bytes() {
        return bytes;
    }

    /** Does not keep the next so many records that are committed: they were in a table before this one. */
    public void skip(int records) {
        toSkip = records;
    }

    /** Keeps the record that was written last, if there is room for it. */
    public void commit() {
        if (toSkip > 0) {
            toSkip--;
        } else if (count == maxRecords) {
            overflown = true;
        } else {
            count++;
        }
    }

    /** Removes all records but some, by their places; their order stays. */
    public void retain(BitSet places) {
        int kept = 0;
        for (int i = places.nextSetBit(0); i >= 0 && i < count; i = places.nextSetBit(i + 1)) {
            System.arraycopy(bytes, origin + i * stride, bytes, origin + kept++ * stride, stride);
        }
        count = kept;
    }

    /** Checks whether there were more records than wanted, so that further ones do not matter. */
    public boolean isOverflown() {
        return overflown;
    }

    /** Records kept so far. */
    public int count() {
        return count;
    }

    /** Returns a copy of the records. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, origin, origin + count * stride);
    }
}
