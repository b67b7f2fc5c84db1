package io.torussm.program;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.VlArbitrationTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Distinct SL2VL rows of all devices, numbered from 1; what does not fit stays unknown. And distinct parts of VL arbitration tables, of
 * which nearly all devices have the same.
 *
 * <p>A fabric has few rows and writes each of them very often, so they are found without an object for each look-up, and the attribute that
 * writes a row is made once. Owner thread: the loop.
 */
final class RowValues {
    /** The number of no row. */
    static final short NONE = 0;

    private static final int MAX_ROWS = 0xffff;
    private static final int FIRST_ROWS = 64;

    /** By number, from 1. */
    private long[] rows = new long[FIRST_ROWS];

    private @Nullable SlToVlMappingTable[] tables = new SlToVlMappingTable[FIRST_ROWS];
    private int count;

    /** Numbers by hash, with open addressing; four places for each row that {@link #rows} has room for. */
    private short[] numbers = new short[4 * FIRST_ROWS];

    private final Map<VlArbitrationTable, VlArbitrationTable> parts = new HashMap<>();

    /** The number of a row; {@link #NONE} if it is new and there is no room for it. */
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

    /** Where a row stands, or would. */
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

    /** The row with a number. */
    long row(short number) {
        return rows[Short.toUnsignedInt(number)];
    }

    /** A row as it is written. */
    SlToVlMappingTable table(long packed) {
        int number = Short.toUnsignedInt(number(packed));
        SlToVlMappingTable known = tables[number];
        if (known != null) {
            return known;
        }
        SlToVlMappingTable made = SlToVlMappingTable.of(packed);
        tables[number] = number == NONE ? null : made;
        return made;
    }

    /** An equal part of a VL arbitration table that was there before, or the same if there is none, or no room for it. */
    VlArbitrationTable shared(VlArbitrationTable part) {
        VlArbitrationTable first = parts.size() < MAX_ROWS ? parts.putIfAbsent(part, part) : parts.get(part);
        return first == null ? part : first;
    }
}
