package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;

/** MCMemberRecord (IBA 15.2.5.17): a multicast group, and the membership of one port in it. */
public final class MCMemberRecord extends Attribute<MCMemberRecord> {
    /**
     * JoinState bits. A group exists as long as it has full members. Packets of the group are not sent to send-only
     * members.
     */
    public static final int FULL_MEMBER = 1;

    public static final int NON_MEMBER = 2;
    public static final int SEND_ONLY_NON_MEMBER = 4;
    public static final int SEND_ONLY_FULL_MEMBER = 8;

    private static final Layout L = new Layout("MCMemberRecord", 56);
    public static final Field MGID = L.bits("MGID", 0, 128);
    public static final Field PORT_GID = L.bits("PortGID", 128, 128);
    public static final Field Q_KEY = L.bits("Q_Key", 256, 32);
    public static final Field MLID = L.bits("MLID", 288, 16);

    /** Selector of {@link #MTU}. All selectors have the values that {@link PathRecord} declares. */
    public static final Field MTU_SELECTOR = L.bits("MTUSelector", 304, 2);

    public static final Field MTU = L.bits("MTU", 306, 6);
    public static final Field T_CLASS = L.bits("TClass", 312, 8);
    public static final Field P_KEY = L.bits("P_Key", 320, 16);
    public static final Field RATE_SELECTOR = L.bits("RateSelector", 336, 2);
    public static final Field RATE = L.bits("Rate", 338, 6);
    public static final Field PACKET_LIFE_TIME_SELECTOR = L.bits("PacketLifeTimeSelector", 344, 2);
    public static final Field PACKET_LIFE_TIME = L.bits("PacketLifeTime", 346, 6);
    public static final Field SL = L.bits("SL", 352, 4);
    public static final Field FLOW_LABEL = L.bits("FlowLabel", 356, 20);
    public static final Field HOP_LIMIT = L.bits("HopLimit", 376, 8);
    public static final Field SCOPE = L.bits("Scope", 384, 4);
    public static final Field JOIN_STATE = L.bits("JoinState", 388, 4);

    /** 1 if another port joined on behalf of this port. Set by the SA, not by requesters. */
    public static final Field PROXY_JOIN = L.bits("ProxyJoin", 392, 1);

    static final Field RESERVED_393 = L.bits("reserved", 393, 55);
    public static final AttributeType<MCMemberRecord> TYPE = L.type(0x0038, MCMemberRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 18);

    private MCMemberRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<MCMemberRecord> type() {
        return TYPE;
    }

    public Gid mgid() {
        return getGid(MGID);
    }

    public Gid portGid() {
        return getGid(PORT_GID);
    }

    public int mlid() {
        return getInt(MLID);
    }

    /** Returns the MTU code, 1 (256 bytes) to 5 (4096 bytes). */
    public int mtu() {
        return getInt(MTU);
    }

    /** Returns the rate code (IBA 15.2.5.16.1). */
    public int rate() {
        return getInt(RATE);
    }

    public int pKey() {
        return getInt(P_KEY);
    }

    public int sl() {
        return getInt(SL);
    }

    /** Returns the bits {@link #FULL_MEMBER} to {@link #SEND_ONLY_FULL_MEMBER}. */
    public int joinState() {
        return getInt(JOIN_STATE);
    }
}
