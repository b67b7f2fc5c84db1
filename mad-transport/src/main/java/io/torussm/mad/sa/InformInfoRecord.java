package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** InformInfoRecord (IBA 15.2.5.12): a subscription and its subscriber. Each field of InformInfo is a component. */
public final class InformInfoRecord extends Attribute<InformInfoRecord> {
    /** Bit offset of InformInfo in the record. */
    private static final int INFORM_INFO_BIT_OFFSET = 192;

    private static final Layout L = new Layout("InformInfoRecord", 64);
    public static final Field SUBSCRIBER_GID = L.bits("SubscriberGID", 0, 128);
    public static final Field ENUM = L.bits("Enum", 128, 16);
    static final Field RESERVED_144 = L.bits("reserved", 144, 48);

    static {
        for (Field field : InformInfo.TYPE.layout().fields()) {
            L.bits(field.name(), INFORM_INFO_BIT_OFFSET + field.offset(), field.width());
        }
        L.bits("reserved", INFORM_INFO_BIT_OFFSET + 288, 32);
    }

    /** Byte offset of InformInfo in the record. */
    public static final int INFORM_INFO_OFFSET = INFORM_INFO_BIT_OFFSET / Byte.SIZE;

    public static final AttributeType<InformInfoRecord> TYPE = L.type(0x00f3, InformInfoRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 16);

    private InformInfoRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<InformInfoRecord> type() {
        return TYPE;
    }

    /** Returns the field of the record that contains a field of InformInfo. */
    public static Field field(Field ofInformInfo) {
        return TYPE.layout().fields().get(3 + InformInfo.TYPE.layout().fields().indexOf(ofInformInfo));
    }
}
