package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** CongestionKeyInfo (IBA annex A10): the CC_Key of a port and its protection. AttributeModifier 0. */
public final class CongestionKeyInfo extends Attribute<CongestionKeyInfo> {
    private static final Layout L = new Layout("CongestionKeyInfo", 14);

    /** Reads as 0 for requesters without the key if it is protected. */
    public static final Field CC_KEY = L.bits("CC_Key", 0, 64);

    /** If 1, the key is shown only to requesters that have it. */
    public static final Field PROTECT_BIT = L.bits("CC_KeyProtectBit", 64, 1);

    static final Field RESERVED_65 = L.bits("reserved", 65, 15);

    /** Seconds after a violation until the protection lapses; 0 for never. */
    public static final Field LEASE_PERIOD = L.bits("CC_KeyLeasePeriod", 80, 16);

    /** Requests with a wrong key. A Set with 0 clears it; another value leaves it unchanged. */
    public static final Field VIOLATIONS = L.bits("CC_KeyViolations", 96, 16);

    public static final AttributeType<CongestionKeyInfo> TYPE = L.type(0x0012, CongestionKeyInfo::new);

    private CongestionKeyInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<CongestionKeyInfo> type() {
        return TYPE;
    }
}
