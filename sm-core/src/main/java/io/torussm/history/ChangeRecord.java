package io.torussm.history;

import io.torussm.history.Change.Counts;
import io.torussm.view.RoutingState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.NavigableMap;

/**
 * The record of a change: the summary as plain bytes, then the compressed rows.
 *
 * @param isWhole whether the rows are the whole state, not the difference from the previous record
 * @param bytes the whole record, as in the file; not modified
 * @param rowsOffset index of the first byte of the rows
 */
record ChangeRecord(Change change, boolean isWhole, byte[] bytes, int rowsOffset) {
    static ChangeRecord of(Change change, boolean isWhole, byte[] rows) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(rows.length + 100);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(isWhole);
            SubnetRow.time(change.at(), out);
            out.writeLong(change.sweep());
            out.writeBoolean(change.isFirst());
            out.writeUTF(change.routing().name());
            out.writeUTF(change.engine());
            out.writeInt(change.merged());
            Counts counts = change.counts();
            out.writeInt(counts.nodesAdded());
            out.writeInt(counts.nodesRemoved());
            out.writeInt(counts.cablesAdded());
            out.writeInt(counts.cablesRemoved());
            out.writeInt(counts.switches());
            out.writeInt(counts.entries());
            out.writeInt(counts.sls());
            out.writeInt(counts.rings());
            int rowsAt = out.size();
            out.write(rows);
            return new ChangeRecord(change, isWhole, bytes.toByteArray(), rowsAt);
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no output that may fail", e);
        }
    }

    /**
     * Reads a record.
     *
     * @throws IOException if the bytes are no record
     */
    static ChangeRecord read(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        try {
            boolean isWhole = in.readBoolean();
            Instant at = SubnetRow.time(in);
            Change change = new Change(
                    at == null ? Instant.EPOCH : at,
                    in.readLong(),
                    in.readBoolean(),
                    RoutingState.valueOf(in.readUTF()),
                    in.readUTF(),
                    in.readInt(),
                    new Counts(
                            in.readInt(),
                            in.readInt(),
                            in.readInt(),
                            in.readInt(),
                            in.readInt(),
                            in.readInt(),
                            in.readInt(),
                            in.readInt()));
            return new ChangeRecord(change, isWhole, bytes, bytes.length - in.available());
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IOException("its parts do not fit: " + e.getMessage(), e);
        }
    }

    /** Applies this change to the rows of the previous state. A whole state is applied to an empty map. */
    void apply(NavigableMap<RowKey, byte[]> rows) throws IOException {
        Delta.apply(bytes, rowsOffset, rows);
    }
}
