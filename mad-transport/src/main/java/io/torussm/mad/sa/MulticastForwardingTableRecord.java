package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** MulticastForwardingTableRecord (IBA 15.2.5.8): one block of the multicast forwarding table of a switch. */
public final class MulticastForwardingTableRecord extends Attribute<MulticastForwardingTableRecord> {
    private static final Layout L = new Layout("MulticastForwardingTableRecord", 72);
    public static final Field LID = L.bits("LID", 0, 16);

    /** Number n of the mask: ports 16 n to 16 n + 15. */
    public static final Field POSITION = L.bits("Position", 16, 4);

    static final Field RESERVED_20 = L.bits("reserved", 20, 3);

    /** Number n of the block: 32 MLIDs from 0xC000 + 32 n. */
    public static final Field BLOCK_NUM = L.bits("BlockNum", 23, 9);

    static final Field RESERVED_32 = L.bits("reserved", 32, 32);
    public static final Field TABLE = L.bits("MulticastForwardingTable", 64, 512);
    public static final AttributeType<MulticastForwardingTableRecord> TYPE =
            L.type(0x0017, MulticastForwardingTableRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 5);

    private MulticastForwardingTableRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<MulticastForwardingTableRecord> type() {
        return TYPE;
    }
}
