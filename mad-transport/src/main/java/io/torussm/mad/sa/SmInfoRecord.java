package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** SMInfoRecord (IBA 15.2.5.10): SMInfo of a subnet manager, and the LID of its port. */
public final class SmInfoRecord extends Attribute<SmInfoRecord> {
    private static final Layout L = new Layout("SMInfoRecord", 32);
    public static final Field LID = L.bits("LID", 0, 16);
    static final Field RESERVED_16 = L.bits("reserved", 16, 16);
    public static final Field GUID = L.bits("GUID", 32, 64);
    public static final Field SM_KEY = L.bits("SM_Key", 96, 64);
    public static final Field ACT_COUNT = L.bits("ActCount", 160, 32);
    public static final Field PRIORITY = L.bits("Priority", 192, 4);
    public static final Field SM_STATE = L.bits("SMState", 196, 4);
    static final Field RESERVED_200 = L.bits("reserved", 200, 56);
    public static final AttributeType<SmInfoRecord> TYPE = L.type(0x0018, SmInfoRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 7);

    private SmInfoRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SmInfoRecord> type() {
        return TYPE;
    }
}
