package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** VLArbitrationTableRecord (IBA 15.2.5.9): half of the low or high priority table of a port. */
public final class VlArbitrationTableRecord extends Attribute<VlArbitrationTableRecord> {
    private static final Layout L = new Layout("VLArbitrationTableRecord", 72);
    public static final Field LID = L.bits("LID", 0, 16);
    public static final Field OUTPUT_PORT_NUM = L.bits("OutputPortNum", 16, 8);

    /** 1 and 2 are the halves of the low priority table; 3 and 4 of the high priority table. */
    public static final Field BLOCK_NUM = L.bits("BlockNum", 24, 8);

    static final Field RESERVED_32 = L.bits("reserved", 32, 32);
    public static final Field TABLE = L.bits("VLArbitrationTable", 64, 512);
    public static final AttributeType<VlArbitrationTableRecord> TYPE = L.type(0x0036, VlArbitrationTableRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 3);

    private VlArbitrationTableRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VlArbitrationTableRecord> type() {
        return TYPE;
    }
}
