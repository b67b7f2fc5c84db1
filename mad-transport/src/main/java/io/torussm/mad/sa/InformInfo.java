package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;

/**
 * InformInfo (IBA 13.4.8.3): a request to begin or end the forwarding of notices. AttributeModifier is 0. Without a
 * component mask.
 */
public final class InformInfo extends Attribute<InformInfo> {
    private static final Layout L = new Layout("InformInfo", 36);
    public static final Field GID = L.bits("GID", 0, 128);
    public static final Field LID_RANGE_BEGIN = L.bits("LIDRangeBegin", 128, 16);
    public static final Field LID_RANGE_END = L.bits("LIDRangeEnd", 144, 16);
    static final Field RESERVED_160 = L.bits("reserved", 160, 16);
    public static final Field IS_GENERIC = L.bits("IsGeneric", 176, 8);
    public static final Field SUBSCRIBE = L.bits("Subscribe", 184, 8);
    public static final Field NOTICE_TYPE = L.bits("Type", 192, 16);

    /** Trap number; device ID of a request that is not generic. */
    public static final Field TRAP_NUMBER = L.bits("TrapNumber", 208, 16);

    public static final Field QPN = L.bits("QPN", 224, 24);
    static final Field RESERVED_248 = L.bits("reserved", 248, 3);
    public static final Field RESP_TIME_VALUE = L.bits("RespTimeValue", 251, 5);
    static final Field RESERVED_256 = L.bits("reserved", 256, 8);

    /** Producer type; vendor ID of a request that is not generic. */
    public static final Field PRODUCER_TYPE = L.bits("ProducerType", 264, 24);

    public static final AttributeType<InformInfo> TYPE = L.type(0x0003, InformInfo::new);

    private InformInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<InformInfo> type() {
        return TYPE;
    }

    public Gid gid() {
        return getGid(GID);
    }

    /** Checks whether the issuer is selected by its GID. Otherwise the range of LIDs selects issuers. */
    public boolean hasGid() {
        return !gid().equals(new Gid(0, 0));
    }

    /** Checks whether issuers with any LID are selected. */
    public boolean isOfAnyLid() {
        return firstLid() == ANY;
    }

    public int firstLid() {
        return getInt(LID_RANGE_BEGIN);
    }

    /** Returns the last LID of the range; the first one if the field is 0. */
    public int lastLid() {
        int end = getInt(LID_RANGE_END);
        return end == 0 ? firstLid() : end;
    }

    /** Value of LIDRangeBegin, Type and TrapNumber that selects all. */
    public static final int ANY = 0xFFFF;

    /** Value of ProducerType that selects all. */
    public static final int ANY_PRODUCER = 0xFF_FFFF;
}
