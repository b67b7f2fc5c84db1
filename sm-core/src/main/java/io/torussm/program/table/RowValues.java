package io.torussm.program.table;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.VlArbitrationTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The distinct SL2VL rows of all devices, numbered from 1; rows beyond the capacity stay unknown. Also the
 * distinct parts of VL arbitration tables, which are the same in nearly all devices.
 *
 * <p>A fabric has few rows and writes each very often. They are found without an object for each look-up, and
 * the attribute of each row is made once. Owner thread: the loop.
 */
final class RowValues {
    /** The number of an unknown row. */
    static final short NONE = 0;

    private static final int MAX_ROWS = 0xffff;
    private static final int FIRST_ROWS = 64;

    /** By number, from 1. */
    private long[] rows = new long[FIRST_ROWS];

    private @Nullable SlToVlMappingTable[] tables = new SlToVlMappingTable[FIRST_ROWS];
    private int count;

    /** Numbers by hash, with open addressing; four slots for each row that fits into {@link #rows}. */
    private short[] numbers = new short[4 * FIRST_ROWS];

    private final Map<VlArbitrationTable, VlArbitrationTable> parts = new HashMap<>();

    /** Returns the number of a row; {@link #NONE} if it is new and there is no room for it. */
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

    /** Returns the slot of a row, or the slot for it. */
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
     * Returns an equal part of a VL arbitration table that is stored; the argument if there is none, or no room for it.
     */
    VlArbitrationTable shared(VlArbitrationTable part) {
        VlArbitrationTable first = parts.size() < MAX_ROWS ? parts.putIfAbsent(part, part) : parts.get(part);
        return first == null ? part : first;
    }
}
