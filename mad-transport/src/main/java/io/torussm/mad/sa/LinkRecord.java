package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** LinkRecord (IBA 15.2.5.13): one direction of a cable. */
public final class LinkRecord extends Attribute<LinkRecord> {
    private static final Layout L = new Layout("LinkRecord", 8);
    public static final Field FROM_LID = L.bits("FromLID", 0, 16);
    public static final Field FROM_PORT = L.bits("FromPort", 16, 8);
    public static final Field TO_PORT = L.bits("ToPort", 24, 8);
    public static final Field TO_LID = L.bits("ToLID", 32, 16);
    static final Field RESERVED_48 = L.bits("reserved", 48, 16);
    public static final AttributeType<LinkRecord> TYPE = L.type(0x0020, LinkRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 4);

    private LinkRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<LinkRecord> type() {
        return TYPE;
    }
}
