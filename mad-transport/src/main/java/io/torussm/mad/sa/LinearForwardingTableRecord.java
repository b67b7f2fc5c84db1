package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** LinearForwardingTableRecord (IBA 15.2.5.6): one block of the forwarding table of a switch. */
public final class LinearForwardingTableRecord extends Attribute<LinearForwardingTableRecord> {
    private static final Layout L = new Layout("LinearForwardingTableRecord", 72);
    public static final Field LID = L.bits("LID", 0, 16);
    public static final Field BLOCK_NUM = L.bits("BlockNum", 16, 16);
    static final Field RESERVED_32 = L.bits("reserved", 32, 32);
    public static final Field TABLE = L.bits("LinearForwardingTable", 64, 512);
    public static final AttributeType<LinearForwardingTableRecord> TYPE =
            L.type(0x0015, LinearForwardingTableRecord::new);

    /** The component mask of the record: LID and BlockNum only. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 2);

    private LinearForwardingTableRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<LinearForwardingTableRecord> type() {
        return TYPE;
    }
}
