package io.torussm.sa.query;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The records of one answer, one after the other. A record is written in place, at the offset of {@link #next()}, and
 * is a part of the table after {@link #commit()}. So a record that does not match costs only the write of its fields.
 */
public final class RecordTable {
    /** Byte offset of the first record in {@link #bytes}. */
    private final int origin;

    /** Bytes from one record to the next. */
    private final int stride;

    private final int maxRecords;
    private byte[] bytes;
    private int count;

    /** Number of records that the next commits drop. */
    private int toSkip;

    private boolean isOverflown;

    /**
     * Creates an empty table.
     *
     * @param stride bytes of a record, a multiple of 8
     * @param maxRecords max number of records; a further one only sets {@link #isOverflown}
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
     * Returns an empty table of one record, which is written in an array of the caller. A second candidate overwrites
     * the bytes behind the record.
     *
     * @param bytes array with room for the record
     * @param at byte offset of the record
     * @param stride bytes of a record
     */
    public static RecordTable within(byte[] bytes, int at, int stride) {
        return new RecordTable(bytes, at, stride, 1);
    }

    /** Returns the offset in {@link #bytes()} of the next record, whose bytes are 0. */
    public int next() {
        int at = origin + count * stride;
        if (at + stride > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(2L * bytes.length, origin + (maxRecords + 1L) * stride));
        }
        Arrays.fill(bytes, at, at + stride, (byte) 0);
        return at;
    }

    /** Returns the array of the records; {@link #next()} may replace it by a longer one. */
    public byte[] bytes() {
        return bytes;
    }

    /** Makes the next {@code records} commits drop their record, because an earlier part of the answer contains it. */
    public void skip(int records) {
        toSkip = records;
    }

    /** Keeps the record that was written last, if there is room; otherwise marks the table as overflown. */
    public void commit() {
        if (toSkip > 0) {
            toSkip--;
        } else if (count == maxRecords) {
            isOverflown = true;
        } else {
            count++;
        }
    }

    /** Removes all records except those at some places, numbered from 0; keeps the order of the others. */
    public void retain(BitSet places) {
        int kept = 0;
        for (int i = places.nextSetBit(0); i >= 0 && i < count; i = places.nextSetBit(i + 1)) {
            System.arraycopy(bytes, origin + i * stride, bytes, origin + kept++ * stride, stride);
        }
        count = kept;
    }

    /** Checks whether there were more records than the maximum, so that further ones are dropped. */
    public boolean isOverflown() {
        return isOverflown;
    }

    /** Returns the number of kept records. */
    public int count() {
        return count;
    }

    /** Returns a copy of the records. */
    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, origin, origin + count * stride);
    }
}
