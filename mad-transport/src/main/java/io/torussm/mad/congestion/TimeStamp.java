package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** TimeStamp (IBA annex A10): the free-running clock of the congestion log. AttributeModifier 0; Get only. */
public final class TimeStamp extends Attribute<TimeStamp> {
    /** Nanoseconds of one unit. */
    public static final long UNIT_NS = 1024;

    private static final Layout L = new Layout("TimeStamp", 4);
    public static final Field TIME_STAMP = L.bits("Timestamp", 0, 32);
    public static final AttributeType<TimeStamp> TYPE = L.type(0x0018, TimeStamp::new);

    private TimeStamp(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<TimeStamp> type() {
        return TYPE;
    }
}
