package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** SLtoVLMappingTableRecord (IBA 15.2.5.4): the SL2VL table of one pair of input and output port. */
public final class SlToVlMappingTableRecord extends Attribute<SlToVlMappingTableRecord> {
    private static final Layout L = new Layout("SLtoVLMappingTableRecord", 16);
    public static final Field LID = L.bits("LID", 0, 16);
    public static final Field INPUT_PORT_NUM = L.bits("InputPortNum", 16, 8);
    public static final Field OUTPUT_PORT_NUM = L.bits("OutputPortNum", 24, 8);
    static final Field RESERVED_32 = L.bits("reserved", 32, 32);
    public static final Field TABLE = L.bits("SLtoVLMappingTable", 64, 64);
    public static final AttributeType<SlToVlMappingTableRecord> TYPE = L.type(0x0013, SlToVlMappingTableRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 3);

    private SlToVlMappingTableRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SlToVlMappingTableRecord> type() {
        return TYPE;
    }
}
