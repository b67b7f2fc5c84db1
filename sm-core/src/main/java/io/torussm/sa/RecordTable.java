package io.torussm.sa;

import java.util.Arrays;

/** The records of one answer, one after the other, each padded to its stride. */
final class RecordTable {
    private final int stride;
    private final int maxRecords;
    private byte[] bytes;
    private int count;

    /**
     * An empty table.
     *
     * @param recordSize bytes of a record, a multiple of 8
     * @param maxRecords more are not wanted; {@link #isFull()} tells when to stop looking
     */
    RecordTable(int recordSize, int maxRecords) {
        this.stride = recordSize;
        this.maxRecords = maxRecords;
        this.bytes = new byte[recordSize];
    }

    /** Appends a record; does nothing if the table is full. */
    void add(byte[] item) {
        if (isFull()) {
            return;
        }
        if ((count + 1) * stride > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.min(maxRecords, 2 * (count + 1)) * stride);
        }
        System.arraycopy(item, 0, bytes, count * stride, item.length);
        count++;
    }

    boolean isFull() {
        return count >= maxRecords;
    }

    int count() {
        return count;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, count * stride);
    }
}
