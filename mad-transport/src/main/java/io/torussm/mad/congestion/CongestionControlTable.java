package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * CongestionControlTable (IBA annex A10): the delays of a port of a channel adapter. After a packet that takes the
 * time t, a flow with index i waits for t x CCT_Multiplier / 2^CCT_Shift of entry i. AttributeModifier: the number of
 * the block of {@value #ENTRIES} entries.
 */
public final class CongestionControlTable extends Attribute<CongestionControlTable> {
    /** Entries in a block. */
    public static final int ENTRIES = 64;

    private static final Layout L = new Layout("CongestionControlTable", 132);

    /** The highest valid index of the whole table. */
    public static final Field CCTI_LIMIT = L.bits("CCTI_Limit", 0, 16);

    static final Field RESERVED_16 = L.bits("reserved", 16, 16);
    public static final Field ENTRY_LIST = L.bits("CCT_Entry_List", 32, 1024);
    public static final AttributeType<CongestionControlTable> TYPE = L.type(0x0017, CongestionControlTable::new);

    private static final Layout E = new Layout("CCT_Entry", 2);
    public static final Field SHIFT = E.bits("CCT_Shift", 0, 2);
    public static final Field MULTIPLIER = E.bits("CCT_Multiplier", 2, 14);

    /** The declaration of an entry. */
    public static final Layout ENTRY = E.complete();

    private CongestionControlTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<CongestionControlTable> type() {
        return TYPE;
    }

    /**
     * Returns an entry: CCT_Shift in the two highest of 16 bits, and CCT_Multiplier.
     *
     * @param index position in the block, 0 to 63
     */
    public int entry(int index) {
        return getByte(ENTRY_LIST, 2 * index) << Byte.SIZE | getByte(ENTRY_LIST, 2 * index + 1);
    }

    /**
     * Returns a block.
     *
     * @param limit highest valid index of the whole table
     * @param entries entries of this block, at most {@value #ENTRIES}; the rest is 0
     */
    public static CongestionControlTable of(int limit, int... entries) {
        byte[] list = new byte[2 * ENTRIES];
        for (int i = 0; i < entries.length; i++) {
            list[2 * i] = (byte) (entries[i] >> Byte.SIZE);
            list[2 * i + 1] = (byte) entries[i];
        }
        return TYPE.zero().with(CCTI_LIMIT, limit).with(ENTRY_LIST, list);
    }
}
