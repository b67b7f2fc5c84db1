package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.smp.PortInfo;

/** PortInfoRecord (IBA 15.2.5.3): PortInfo of a port. Each field of PortInfo is a component. */
public final class PortInfoRecord extends Attribute<PortInfoRecord> {
    /** AttributeModifier bit: CapabilityMask and CapabilityMask2 match if they contain all requested bits. */
    public static final int MATCH_BY_CONTAINMENT = 1 << 31;

    /** Bit offset of PortInfo in the record. */
    private static final int PORT_INFO_BIT_OFFSET = 32;

    private static final Layout L = new Layout("PortInfoRecord", 72);
    public static final Field ENDPORT_LID = L.bits("EndportLID", 0, 16);
    public static final Field PORT_NUM = L.bits("PortNum", 16, 8);
    public static final Field OPTIONS = L.bits("Options", 24, 8);

    static {
        for (Field field : PortInfo.TYPE.layout().fields()) {
            L.bits(field.name(), PORT_INFO_BIT_OFFSET + field.offset(), field.width());
        }
        L.bits("reserved", PORT_INFO_BIT_OFFSET + 512, 32);
    }

    /** Byte offset of PortInfo in the record. */
    public static final int PORT_INFO_OFFSET = PORT_INFO_BIT_OFFSET / Byte.SIZE;

    public static final AttributeType<PortInfoRecord> TYPE = L.type(0x0012, PortInfoRecord::new);

    /** The component mask of the record: its first three fields, then the fields of PortInfo. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 58);

    private PortInfoRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PortInfoRecord> type() {
        return TYPE;
    }

    /** Returns the field of the record that contains a field of PortInfo. */
    public static Field field(Field ofPortInfo) {
        // A part of a reserved field (Layout.part) is no field of the declaration.
        int index = PortInfo.TYPE.layout().fields().indexOf(ofPortInfo);
        return index >= 0
                ? TYPE.layout().fields().get(3 + index)
                : new Field(ofPortInfo.name(), PORT_INFO_BIT_OFFSET + ofPortInfo.offset(), ofPortInfo.width());
    }
}
