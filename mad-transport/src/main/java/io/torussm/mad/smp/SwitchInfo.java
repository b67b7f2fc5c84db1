package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** SwitchInfo (IBA 14.2.5.4): the capabilities of a switch, and the tops of its tables. AttributeModifier is 0. */
public final class SwitchInfo extends Attribute<SwitchInfo> {
    private static final Layout L = new Layout("SwitchInfo", 64);
    public static final Field LINEAR_FDB_CAP = L.bits("LinearFDBCap", 0, 16);
    public static final Field RANDOM_FDB_CAP = L.bits("RandomFDBCap", 16, 16);
    public static final Field MULTICAST_FDB_CAP = L.bits("MulticastFDBCap", 32, 16);
    public static final Field LINEAR_FDB_TOP = L.bits("LinearFDBTop", 48, 16);
    public static final Field DEFAULT_PORT = L.bits("DefaultPort", 64, 8);
    public static final Field DEFAULT_MULTICAST_PRIMARY_PORT = L.bits("DefaultMulticastPrimaryPort", 72, 8);
    public static final Field DEFAULT_MULTICAST_NOT_PRIMARY_PORT = L.bits("DefaultMulticastNotPrimaryPort", 80, 8);
    public static final Field LIFE_TIME_VALUE = L.bits("LifeTimeValue", 88, 5);

    /** Set by the switch when a port changes state; a Set with 1 clears it. */
    public static final Field PORT_STATE_CHANGE = L.bits("PortStateChange", 93, 1);

    public static final Field OPTIMIZED_SL2VL = L.bits("OptimizedSLtoVLMappingProgramming", 94, 2);
    public static final Field LIDS_PER_PORT = L.bits("LIDsPerPort", 96, 16);
    public static final Field PARTITION_ENFORCEMENT_CAP = L.bits("PartitionEnforcementCap", 112, 16);
    public static final Field INBOUND_ENFORCEMENT_CAP = L.bits("InboundEnforcementCap", 128, 1);
    public static final Field OUTBOUND_ENFORCEMENT_CAP = L.bits("OutboundEnforcementCap", 129, 1);
    public static final Field FILTER_RAW_INBOUND_CAP = L.bits("FilterRawInboundCap", 130, 1);
    public static final Field FILTER_RAW_OUTBOUND_CAP = L.bits("FilterRawOutboundCap", 131, 1);
    public static final Field ENHANCED_PORT0 = L.bits("EnhancedPort0", 132, 1);
    static final Field RESERVED_133 = L.bits("reserved", 133, 11);
    public static final Field MULTICAST_FDB_TOP = L.bits("MulticastFDBTop", 144, 16);
    static final Field RESERVED_160 = L.bits("reserved", 160, 352);
    public static final AttributeType<SwitchInfo> TYPE = L.type(0x0012, SwitchInfo::new);

    private SwitchInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SwitchInfo> type() {
        return TYPE;
    }

    /** Returns the max number of entries of the linear forwarding table; 0 for a switch with only a random table. */
    public int linearFdbCap() {
        return getInt(LINEAR_FDB_CAP);
    }

    /** Returns the max number of entries of the multicast forwarding table. */
    public int multicastFdbCap() {
        return getInt(MULTICAST_FDB_CAP);
    }

    /** Returns the highest LID that the switch looks up in the linear forwarding table. */
    public int linearFdbTop() {
        return getInt(LINEAR_FDB_TOP);
    }

    /** Returns n for a max packet lifetime of 4.096 us x 2^n in the switch; 20 and more mean infinite. */
    public int lifeTimeValue() {
        return getInt(LIFE_TIME_VALUE);
    }

    public boolean portStateChange() {
        return getFlag(PORT_STATE_CHANGE);
    }

    /** Checks whether port 0 is enhanced: it has a full PortInfo, an SL2VL table and an LMC. */
    public boolean enhancedPort0() {
        return getFlag(ENHANCED_PORT0);
    }
}
