package io.torussm.program.table;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.VlArbitrationTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distinct SL2VL rows of all devices, numbered from 1, and the distinct parts of VL arbitration tables, which are
 * equal in nearly all devices. Rows beyond the capacity have no number and count as unknown.
 *
 * <p>A fabric has few distinct rows and writes each very often. So a look-up creates no object, and the attribute of
 * each row is made once. Owner thread: the loop.
 */
final class RowValues {
    /** The number of an unknown row. */
    static final short NONE = 0;

    private static final int MAX_ROWS = 0xffff;
    private static final int FIRST_ROWS = 64;

    /** [number] row, packed; from number 1 on. */
    private long[] rows = new long[FIRST_ROWS];

    /** [number] row as an attribute; null before its first use. */
    private @Nullable SlToVlMappingTable[] tables = new SlToVlMappingTable[FIRST_ROWS];

    private int count;

    /** [slot] number; a hash table with open addressing, with four slots for each row that fits into {@link #rows}. */
    private short[] numbers = new short[4 * FIRST_ROWS];

    private final Map<VlArbitrationTable, VlArbitrationTable> parts = new HashMap<>();

    /** Returns the number of a row, which is added if it is new; {@link #NONE} beyond the capacity. */
    short number(long packed) {
        int place = place(packed);
        if (numbers[place] == NONE && count < MAX_ROWS) {
            if (count + 1 == rows.length) {
                grow();
                place = place(packed);
            }
            rows[++count] = packed;
            numbers[place] = (short) count;
        }
        return numbers[place];
    }

    /** Returns the slot of a row, or the free slot where the row would be added. */
    private int place(long packed) {
        long mixed = packed * 0x9e3779b97f4a7c15L;
        int place = (int) (mixed >>> Integer.SIZE) & numbers.length - 1;
        while (numbers[place] != NONE && row(numbers[place]) != packed) {
            place = place + 1 & numbers.length - 1;
        }
        return place;
    }

    private void grow() {
        rows = Arrays.copyOf(rows, 2 * rows.length);
        tables = Arrays.copyOf(tables, rows.length);
        numbers = new short[4 * rows.length];
        for (int number = 1; number <= count; number++) {
            numbers[place(rows[number])] = (short) number;
        }
    }

    /** Returns the row with a number. */
    long row(short number) {
        return rows[Short.toUnsignedInt(number)];
    }

    /** Returns a row as an attribute. */
    SlToVlMappingTable table(long packed) {
        int number = Short.toUnsignedInt(number(packed));
        SlToVlMappingTable known = tables[number];
        if (known != null) {
            return known;
        }
        SlToVlMappingTable table = SlToVlMappingTable.of(packed);
        tables[number] = number == NONE ? null : table;
        return table;
    }

    /**
     * Returns the stored part of a VL arbitration table that equals a part; the argument itself if none is stored.
     */
    VlArbitrationTable intern(VlArbitrationTable part) {
        VlArbitrationTable first = parts.size() < MAX_ROWS ? parts.putIfAbsent(part, part) : parts.get(part);
        return first == null ? part : first;
    }
}
