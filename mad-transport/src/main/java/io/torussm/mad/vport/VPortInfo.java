package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** VPortInfo (vendor attribute 0xFFB1): state and settings of one vport. AttributeModifier: index of the vport. */
public final class VPortInfo extends Attribute<VPortInfo> {
    private static final Layout L = new Layout("VPortInfo", 64);

    /** The state of the vport, with the values of {@link io.torussm.mad.smp.PortInfo#PORT_STATE}. */
    public static final Field STATE = L.bits("VPortState", 0, 4);

    public static final Field CLIENT_REREGISTER = L.bits("ClientReregister", 4, 1);

    /** The vport needs a LID of its own. Read-only. */
    public static final Field LID_REQUIRED = L.bits("LIDRequired", 5, 1);

    static final Field RESERVED_6 = L.bits("reserved", 6, 2);

    /** Entries of {@link VPortGuidInfo}. */
    public static final Field GUID_CAP = L.bits("GUIDCap", 8, 8);

    public static final Field CAPABILITY_MASK = L.bits("CapabilityMask", 16, 16);
    public static final Field P_KEY_VIOLATIONS = L.bits("P_KeyViolations", 32, 16);
    public static final Field Q_KEY_VIOLATIONS = L.bits("Q_KeyViolations", 48, 16);

    /** Effective with {@link #LID_REQUIRED}. */
    public static final Field LID = L.bits("VPortLID", 64, 16);

    /** Index of the vport whose LID this one uses, without {@link #LID_REQUIRED}; 0: the LID of the physical port. */
    public static final Field LID_BY_VPORT_INDEX = L.bits("LIDByVPortIndex", 80, 16);

    public static final Field PORT_GUID = L.bits("PortGUID", 96, 64);
    public static final Field PORT_PROFILE = L.bits("PortProfile", 160, 64);
    static final Field RESERVED_224 = L.bits("reserved", 224, 288);
    public static final AttributeType<VPortInfo> TYPE = L.type(0xffb1, VPortInfo::new);

    private VPortInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VPortInfo> type() {
        return TYPE;
    }

    /** Returns the state, coded as PortState. */
    public int state() {
        return getInt(STATE);
    }

    public boolean isLidRequired() {
        return getFlag(LID_REQUIRED);
    }

    public int lid() {
        return getInt(LID);
    }

    public int lidByVPortIndex() {
        return getInt(LID_BY_VPORT_INDEX);
    }

    public long portGuid() {
        return get(PORT_GUID);
    }
}
