package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * P_KeyTable (IBA 14.2.5.7): 32 P_Keys. AttributeModifier: block in the lower half, and for a switch the port number in
 * the upper half.
 */
public final class PKeyTable extends Attribute<PKeyTable> {
    /** P_Keys in a block. */
    public static final int KEYS_PER_BLOCK = 32;

    /** The default P_Key with full membership. */
    public static final int DEFAULT_FULL = 0xFFFF;

    private static final Layout L = new Layout("P_KeyTable", 64);
    public static final Field P_KEYS = L.bits("P_KeyTableBlock", 0, 512);
    public static final AttributeType<PKeyTable> TYPE = L.type(0x0016, PKeyTable::new);

    private PKeyTable(byte[] bytes) {
        super(bytes);
    }

    /**
     * Returns a block of a whole table. Entries beyond its end are 0.
     *
     * @param table P_Keys of a port
     * @param block number of the block, which begins with entry {@code 32 * block}
     */
    public static PKeyTable blockOf(short[] table, int block) {
        byte[] bytes = new byte[2 * KEYS_PER_BLOCK];
        for (int i = 0; i < KEYS_PER_BLOCK; i++) {
            int index = block * KEYS_PER_BLOCK + i;
            int pKey = index < table.length ? table[index] : 0;
            bytes[2 * i] = (byte) (pKey >> 8);
            bytes[2 * i + 1] = (byte) pKey;
        }
        return new PKeyTable(bytes);
    }

    @Override
    public AttributeType<PKeyTable> type() {
        return TYPE;
    }

    /** Returns P_Key {@code i} of the block, 0 to 31. Bit 15 is full membership. */
    public int pKey(int i) {
        return getByte(P_KEYS, 2 * i) << 8 | getByte(P_KEYS, 2 * i + 1);
    }
}
