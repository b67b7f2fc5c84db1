package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * MulticastForwardingTable (IBA 14.2.5.11): masks of 16 ports for 32 MLIDs. AttributeModifier: position in bits 31-28,
 * block in bits 8-0.
 */
public final class MulticastForwardingTable extends Attribute<MulticastForwardingTable> {
    /** MLIDs in a block. */
    public static final int MLIDS_PER_BLOCK = 32;

    private static final Layout L = new Layout("MulticastForwardingTable", 64);
    public static final Field MASKS = L.bits("PortMaskBlock", 0, 512);
    public static final AttributeType<MulticastForwardingTable> TYPE = L.type(0x001B, MulticastForwardingTable::new);

    private MulticastForwardingTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<MulticastForwardingTable> type() {
        return TYPE;
    }

    /** Returns the mask of MLID {@code 0xC000 + 32 * block + i}; bit n is port {@code 16 * position + n}. */
    public int mask(int i) {
        return getByte(MASKS, 2 * i) << 8 | getByte(MASKS, 2 * i + 1);
    }
}
