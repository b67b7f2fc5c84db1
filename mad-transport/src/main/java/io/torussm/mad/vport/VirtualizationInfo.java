package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * VirtualizationInfo (vendor attribute 0xFFB0): the number of vports of a physical port, and whether they are on.
 * AttributeModifier: 0. A Set writes all flags, so it repeats {@link #ENABLE}.
 */
public final class VirtualizationInfo extends Attribute<VirtualizationInfo> {
    /** The only revision whose meaning is public. */
    public static final int KNOWN_REVISION = 0;

    private static final Layout L = new Layout("VirtualizationInfo", 64);

    /** Vports that the port can have. */
    public static final Field VPORT_CAP = L.bits("VPortCap", 0, 16);

    /** The highest index in use. */
    public static final Field VPORT_INDEX_TOP = L.bits("VPortIndexTop", 16, 16);

    public static final Field ENABLE = L.bits("VirtualizationEnable", 32, 1);

    /** Set: clients on all vports repeat their registrations. */
    public static final Field CLIENT_REREGISTER = L.bits("VClientReregister", 33, 1);

    /** The state of a vport has changed; a Set with 1 clears it. */
    public static final Field STATE_CHANGE = L.bits("VPortStateChange", 34, 1);

    static final Field RESERVED_35 = L.bits("reserved", 35, 5);
    static final Field RESERVED_40 = L.bits("reserved", 40, 8);
    public static final Field REVISION = L.bits("Revision", 48, 8);
    public static final Field CAPABILITY_MASK = L.bits("CapabilityMask", 56, 8);
    static final Field RESERVED_64 = L.bits("reserved", 64, 448);
    public static final AttributeType<VirtualizationInfo> TYPE = L.type(0xffb0, VirtualizationInfo::new);

    private VirtualizationInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VirtualizationInfo> type() {
        return TYPE;
    }

    /** Returns the number of vports that the port can have. */
    public int vportCap() {
        return getInt(VPORT_CAP);
    }

    /** Returns the highest index in use. */
    public int vportIndexTop() {
        return getInt(VPORT_INDEX_TOP);
    }

    public boolean isEnabled() {
        return getFlag(ENABLE);
    }
}
