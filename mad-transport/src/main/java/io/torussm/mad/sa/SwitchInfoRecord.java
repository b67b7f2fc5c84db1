package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** SwitchInfoRecord (IBA 15.2.5.5): SwitchInfo of a switch, the fields of which are no components. */
public final class SwitchInfoRecord extends Attribute<SwitchInfoRecord> {
    private static final Layout L = new Layout("SwitchInfoRecord", 24);
    public static final Field LID = L.bits("LID", 0, 16);
    static final Field RESERVED_16 = L.bits("reserved", 16, 16);
    public static final Field SWITCH_INFO = L.bits("SwitchInfo", 32, 160);
    public static final AttributeType<SwitchInfoRecord> TYPE = L.type(0x0014, SwitchInfoRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 2);

    private SwitchInfoRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SwitchInfoRecord> type() {
        return TYPE;
    }
}
