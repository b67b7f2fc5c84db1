package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** P_KeyTableRecord (IBA 15.2.5.11): one block of the P_Key table of a port. */
public final class PKeyTableRecord extends Attribute<PKeyTableRecord> {
    private static final Layout L = new Layout("P_KeyTableRecord", 72);
    public static final Field LID = L.bits("LID", 0, 16);
    public static final Field BLOCK_NUM = L.bits("BlockNum", 16, 16);
    public static final Field PORT_NUM = L.bits("PortNum", 32, 8);
    static final Field RESERVED_40 = L.bits("reserved", 40, 24);
    public static final Field TABLE = L.bits("P_KeyTable", 64, 512);
    public static final AttributeType<PKeyTableRecord> TYPE = L.type(0x0033, PKeyTableRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 3);

    private PKeyTableRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PKeyTableRecord> type() {
        return TYPE;
    }
}
