package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * AdaptiveRoutingInfo of Mellanox switches (vendor attribute 0xFF20). Only the bits of enabled features are declared.
 * AttributeModifier is 0.
 */
public final class AdaptiveRoutingInfo extends Attribute<AdaptiveRoutingInfo> {
    private static final Layout L = new Layout("AdaptiveRoutingInfo", 64);
    static final Field RESERVED_0 = L.bits("reserved", 0, 26);

    /** Routing notifications are sent, with which switches bypass a failure without the SM (SHIELD). */
    public static final Field RN_XMIT_ENABLED = L.bits("RNXmitEnabled", 26, 1);

    /** A packet for a port that is down takes another port (fallback routing, part of SHIELD). */
    public static final Field FR_ENABLED = L.bits("FREnabled", 27, 1);

    static final Field RESERVED_28 = L.bits("reserved", 28, 3);

    /** Packets may leave by other ports than the one in the linear forwarding table (adaptive routing). */
    public static final Field ENABLED = L.bits("Enabled", 31, 1);

    static final Field RESERVED_32 = L.bits("reserved", 32, 480);
    public static final AttributeType<AdaptiveRoutingInfo> TYPE = L.type(0xff20, AdaptiveRoutingInfo::new);

    private AdaptiveRoutingInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<AdaptiveRoutingInfo> type() {
        return TYPE;
    }
}
