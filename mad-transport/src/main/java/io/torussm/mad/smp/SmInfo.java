package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * SMInfo (IBA 14.2.5.13): the subnet manager at a port. AttributeModifier of a Set: 1 HANDOVER, 2 ACKNOWLEDGE, 3
 * DISABLE, 4 STANDBY, 5 DISCOVER.
 */
public final class SmInfo extends Attribute<SmInfo> {
    /** SMState values. */
    public static final int NOT_ACTIVE = 0;

    public static final int DISCOVERING = 1;
    public static final int STANDBY = 2;
    public static final int MASTER = 3;

    private static final Layout L = new Layout("SMInfo", 64);
    public static final Field GUID = L.bits("GUID", 0, 64);
    public static final Field SM_KEY = L.bits("SM_Key", 64, 64);
    public static final Field ACT_COUNT = L.bits("ActCount", 128, 32);
    public static final Field PRIORITY = L.bits("Priority", 160, 4);
    public static final Field SM_STATE = L.bits("SMState", 164, 4);
    static final Field RESERVED_168 = L.bits("reserved", 168, 344);
    public static final AttributeType<SmInfo> TYPE = L.type(0x0020, SmInfo::new);

    private SmInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SmInfo> type() {
        return TYPE;
    }

    public long guid() {
        return get(GUID);
    }

    public int priority() {
        return getInt(PRIORITY);
    }

    public int smState() {
        return getInt(SM_STATE);
    }

    /**
     * Checks whether this SM takes precedence over another one as master (IBA 14.4.1): higher priority, then lower
     * GUID.
     */
    public boolean outranks(SmInfo other) {
        return priority() != other.priority()
                ? priority() > other.priority()
                : Long.compareUnsigned(guid(), other.guid()) < 0;
    }
}
