package io.torussm.history;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The rows that differ between two states, compressed. Of a row in both states only the changed runs of bytes
 * are kept: one lost cable changes few entries of most tables.
 */
final class Delta {
    /** Limit of the bytes of a row; the longest is SL2VL of a switch with 254 linked ports. */
    static final int MAX_ROW_BYTES = 1 << 20;

    /** Limit of the rows of a state that is read. */
    private static final int MAX_ROWS = 1 << 20;

    /** Limit of the bytes of a state that is read; a torus of 16x16x16 with 4,096 hosts has 80 MB. */
    private static final long MAX_STATE_BYTES = 1L << 30;

    private static final int END = 0;
    private static final int REMOVE = 1;
    private static final int PUT = 2;
    private static final int PATCH = 3;

    /** Number of equal bytes between two runs that are written too, because a new run costs as many. */
    private static final int MAX_BRIDGED_BYTES = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final RowBytes oldRow = new RowBytes();
    private final RowBytes newRow = new RowBytes();
    private final Map<RowKey.RowType, Count> counts = new EnumMap<>(RowKey.RowType.class);

    /**
     * The amount of change of rows of one type.
     *
     * @param added rows
     * @param removed rows
     * @param changed rows in both states
     * @param entries changed bytes in those
     */
    record Count(int added, int removed, int changed, int entries) {
        static final Count NONE = new Count(0, 0, 0, 0);

        private Count plus(int more, int less, int other, int bytesOfOther) {
            return new Count(added + more, removed + less, changed + other, entries + bytesOfOther);
        }
    }

    private Delta() {}

    /** Returns the difference between two states. */
    static Delta between(NavigableMap<RowKey, Row> previous, NavigableMap<RowKey, Row> after) {
        Delta delta = new Delta();
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);
        try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(delta.bytes, deflater, 1 << 14))) {
            delta.write(previous, after, out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no output that may fail", e);
        } finally {
            deflater.end();
        }
        return delta;
    }

    private void write(NavigableMap<RowKey, Row> previous, NavigableMap<RowKey, Row> after, DataOutputStream out)
            throws IOException {
        Iterator<Map.Entry<RowKey, Row>> were = previous.entrySet().iterator();
        Iterator<Map.Entry<RowKey, Row>> are = after.entrySet().iterator();
        Map.@Nullable Entry<RowKey, Row> old = next(were);
        Map.@Nullable Entry<RowKey, Row> current = next(are);
        while (old != null || current != null) {
            int order = old == null ? 1 : current == null ? -1 : old.getKey().compareTo(current.getKey());
            if (order < 0 && old != null) {
                writeHead(REMOVE, old.getKey(), out);
                count(old.getKey(), 0, 1, 0, 0);
            } else if (order > 0 && current != null) {
                newRow.hold(current.getValue());
                writeHead(PUT, current.getKey(), out);
                varint(newRow.length(), out);
                out.write(newRow.array(), 0, newRow.length());
                count(current.getKey(), 1, 0, 0, 0);
            } else if (old != null && current != null && !old.getValue().isKnownSame(current.getValue())) {
                writePatch(current.getKey(), oldRow.hold(old.getValue()), newRow.hold(current.getValue()), out);
            }
            old = order <= 0 ? next(were) : old;
            current = order >= 0 ? next(are) : current;
        }
        out.writeByte(END);
    }

    private static Map.@Nullable Entry<RowKey, Row> next(Iterator<Map.Entry<RowKey, Row>> rows) {
        return rows.hasNext() ? rows.next() : null;
    }

    private void count(RowKey key, int added, int removed, int changed, int entries) {
        counts.merge(
                key.kind(),
                Count.NONE.plus(added, removed, changed, entries),
                (old, one) -> old.plus(one.added(), one.removed(), one.changed(), one.entries()));
    }

    private static void writeHead(int kind, RowKey key, DataOutputStream out) throws IOException {
        out.writeByte(kind);
        out.writeByte(key.kind().number());
        out.writeLong(key.a());
        varint(key.b(), out);
    }

    private void writePatch(RowKey key, RowBytes old, RowBytes current, DataOutputStream out) throws IOException {
        int length = current.length();
        int at = nextDifference(old, current, 0);
        if (at == length && old.length() == length) {
            return;
        }
        writeHead(PATCH, key, out);
        varint(length, out);
        int changed = Math.max(0, old.length() - length);
        int from = 0;
        while (at < length) {
            int end = at;
            for (int i = at, same = 0; i < length && same <= MAX_BRIDGED_BYTES; i++) {
                boolean differs = i >= old.length() || old.array()[i] != current.array()[i];
                same = differs ? 0 : same + 1;
                changed += differs ? 1 : 0;
                end = differs ? i + 1 : end;
            }
            varint(at - from, out);
            varint(end - at, out);
            out.write(current.array(), at, end - at);
            from = end;
            at = nextDifference(old, current, end);
        }
        varint(0, out);
        varint(0, out);
        int common = Math.min(old.length(), length);
        boolean isOfSls = key.kind() == RowKey.RowType.SL;
        count(key, 0, 0, 1, isOfSls ? PastSls.countChanged(old.array(), current.array(), common) : changed);
    }

    /** Returns the index of the next byte that differs, from an index on; the length if there is none. */
    private static int nextDifference(RowBytes old, RowBytes current, int from) {
        int common = Math.min(old.length(), current.length());
        int next = from >= common ? -1 : Arrays.mismatch(old.array(), from, common, current.array(), from, common);
        return next < 0 ? Math.max(from, common) : from + next;
    }

    /** Checks whether both states are the same. */
    boolean isEmpty() {
        return counts.isEmpty();
    }

    /** Returns the amount of change of one type of rows. */
    Count count(RowKey.RowType kind) {
        return counts.getOrDefault(kind, Count.NONE);
    }

    /** Returns the record for the file; see {@link #apply}. */
    byte[] bytes() {
        return bytes.toByteArray();
    }

    /**
     * Applies a difference to a state.
     *
     * @param delta bytes that contain the result of {@link #bytes} from the offset on
     * @throws IOException if it is no difference, or not one of this state
     */
    static void apply(byte[] delta, int offset, NavigableMap<RowKey, byte[]> rows) throws IOException {
        Inflater inflater = new Inflater(true);
        try (DataInputStream in = new DataInputStream(new InflaterInputStream(
                new ByteArrayInputStream(delta, offset, delta.length - offset), inflater, 1 << 14))) {
            long total = 0;
            for (int what = in.readUnsignedByte(); what != END; what = in.readUnsignedByte()) {
                RowKey.RowType kind = RowKey.RowType.of(in.readUnsignedByte());
                if (kind == null) {
                    throw new IOException("a row of a kind that this program does not know");
                }
                RowKey key = new RowKey(kind, in.readLong(), varint(in));
                byte[] row = what == REMOVE ? removeRow(key, rows) : read(what, in, rows.get(key));
                total += row.length;
                if (what != REMOVE) {
                    rows.put(key, row);
                }
                if (rows.size() > MAX_ROWS || total > MAX_STATE_BYTES) {
                    throw new IOException("it is larger than any fabric needs");
                }
            }
        } finally {
            inflater.end();
        }
    }

    private static byte[] removeRow(RowKey key, NavigableMap<RowKey, byte[]> rows) throws IOException {
        byte[] row = rows.remove(key);
        if (row == null) {
            throw new IOException("a row ends that does not exist");
        }
        return row;
    }

    private static byte[] read(int kind, DataInputStream in, byte @Nullable [] old) throws IOException {
        int length = varint(in);
        if (length > MAX_ROW_BYTES || (kind != PUT && (kind != PATCH || old == null))) {
            throw new IOException("a row is too long, or changes a row that does not exist");
        }
        byte[] row = old == null ? new byte[length] : Arrays.copyOf(old, length);
        if (kind == PUT) {
            in.readFully(row);
            return row;
        }
        int at = 0;
        while (true) {
            at += varint(in);
            int run = varint(in);
            if (run == 0) {
                return row;
            }
            if (at < 0 || run > row.length - at) {
                throw new IOException("a change beyond the end of a row");
            }
            in.readFully(row, at, run);
            at += run;
        }
    }

    /** Writes a number from 0, seven bits a byte, the lowest first. */
    static void varint(int number, DataOutputStream out) throws IOException {
        int rest = number;
        while (rest > 0x7f || rest < 0) {
            out.writeByte(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    static int varint(DataInputStream in) throws IOException {
        int number = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            int part = in.readUnsignedByte();
            number |= (part & 0x7f) << shift;
            if (part < 0x80) {
                if (number < 0) {
                    break;
                }
                return number;
            }
        }
        throw new IOException("a number that is too large");
    }
}
