package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import org.jspecify.annotations.Nullable;

/** PortInfo (IBA 14.2.5.6): the state and settings of one port. AttributeModifier: {@link #modifier}. */
public final class PortInfo extends Attribute<PortInfo> {
    /** PortState values. */
    public static final int STATE_NO_CHANGE = 0;

    public static final int STATE_DOWN = 1;
    public static final int STATE_INITIALIZE = 2;
    public static final int STATE_ARMED = 3;
    public static final int STATE_ACTIVE = 4;

    /** PortPhysicalState values. */
    public static final int PHYS_POLLING = 2;

    public static final int PHYS_DISABLED = 3;
    public static final int PHYS_LINK_UP = 5;

    /** CapabilityMask bits (IBA table 155). */
    public static final int CAP_IS_SM = 1 << 1;

    public static final int CAP_NOTICE = 1 << 2;
    public static final int CAP_TRAP = 1 << 3;
    public static final int CAP_SL_MAPPING = 1 << 6;
    public static final int CAP_EXTENDED_SPEEDS = 1 << 14;
    public static final int CAP_CAPABILITY_MASK2 = 1 << 15;
    public static final int CAP_CLIENT_REREGISTRATION = 1 << 25;
    public static final int CAP_MULTICAST_FDB_TOP = 1 << 30;

    /** CapabilityMask2 bits. The field is only valid with {@link #CAP_CAPABILITY_MASK2}. */
    public static final int CAP2_VIRTUALIZATION = 1 << 2;

    public static final int CAP2_SWITCH_PORT_STATE_TABLE = 1 << 3;

    public static final int CAP2_EXTENDED_SPEEDS_2 = 1 << 11;

    /** AttributeModifier bit: the requester supports extended speeds (SMSupportExtendedSpeeds). */
    public static final int SM_SUPPORTS_EXTENDED_SPEEDS = 1 << 31;

    private static final Layout L = new Layout("PortInfo", 64);
    public static final Field M_KEY = L.bits("M_Key", 0, 64);
    public static final Field GID_PREFIX = L.bits("GidPrefix", 64, 64);
    public static final Field LID = L.bits("LID", 128, 16);
    public static final Field MASTER_SM_LID = L.bits("MasterSMLID", 144, 16);
    public static final Field CAPABILITY_MASK = L.bits("CapabilityMask", 160, 32);
    public static final Field DIAG_CODE = L.bits("DiagCode", 192, 16);
    public static final Field M_KEY_LEASE_PERIOD = L.bits("M_KeyLeasePeriod", 208, 16);
    public static final Field LOCAL_PORT_NUM = L.bits("LocalPortNum", 224, 8);
    public static final Field LINK_WIDTH_ENABLED = L.bits("LinkWidthEnabled", 232, 8);
    public static final Field LINK_WIDTH_SUPPORTED = L.bits("LinkWidthSupported", 240, 8);
    public static final Field LINK_WIDTH_ACTIVE = L.bits("LinkWidthActive", 248, 8);
    public static final Field LINK_SPEED_SUPPORTED = L.bits("LinkSpeedSupported", 256, 4);
    public static final Field PORT_STATE = L.bits("PortState", 260, 4);
    public static final Field PORT_PHYSICAL_STATE = L.bits("PortPhysicalState", 264, 4);
    public static final Field LINK_DOWN_DEFAULT_STATE = L.bits("LinkDownDefaultState", 268, 4);
    public static final Field M_KEY_PROTECT_BITS = L.bits("M_KeyProtectBits", 272, 2);

    /** The lowest M_KeyProtectBits at which a Get without the M_Key is not answered (IBA 14.2.4.1). */
    public static final int M_KEY_PROTECTS_GETS = 2;

    static final Field RESERVED_274 = L.bits("reserved", 274, 3);
    public static final Field LMC = L.bits("LMC", 277, 3);
    public static final Field LINK_SPEED_ACTIVE = L.bits("LinkSpeedActive", 280, 4);
    public static final Field LINK_SPEED_ENABLED = L.bits("LinkSpeedEnabled", 284, 4);
    public static final Field NEIGHBOR_MTU = L.bits("NeighborMTU", 288, 4);
    public static final Field MASTER_SM_SL = L.bits("MasterSMSL", 292, 4);
    public static final Field VL_CAP = L.bits("VLCap", 296, 4);
    public static final Field INIT_TYPE = L.bits("InitType", 300, 4);
    public static final Field VL_HIGH_LIMIT = L.bits("VLHighLimit", 304, 8);
    public static final Field VL_ARBITRATION_HIGH_CAP = L.bits("VLArbitrationHighCap", 312, 8);
    public static final Field VL_ARBITRATION_LOW_CAP = L.bits("VLArbitrationLowCap", 320, 8);
    public static final Field INIT_TYPE_REPLY = L.bits("InitTypeReply", 328, 4);
    public static final Field MTU_CAP = L.bits("MTUCap", 332, 4);
    public static final Field VL_STALL_COUNT = L.bits("VLStallCount", 336, 3);
    public static final Field HOQ_LIFE = L.bits("HOQLife", 339, 5);
    public static final Field OPERATIONAL_VLS = L.bits("OperationalVLs", 344, 4);
    public static final Field PARTITION_ENFORCEMENT_INBOUND = L.bits("PartitionEnforcementInbound", 348, 1);
    public static final Field PARTITION_ENFORCEMENT_OUTBOUND = L.bits("PartitionEnforcementOutbound", 349, 1);
    public static final Field FILTER_RAW_INBOUND = L.bits("FilterRawInbound", 350, 1);
    public static final Field FILTER_RAW_OUTBOUND = L.bits("FilterRawOutbound", 351, 1);
    public static final Field M_KEY_VIOLATIONS = L.bits("M_KeyViolations", 352, 16);
    public static final Field P_KEY_VIOLATIONS = L.bits("P_KeyViolations", 368, 16);
    public static final Field Q_KEY_VIOLATIONS = L.bits("Q_KeyViolations", 384, 16);
    public static final Field GUID_CAP = L.bits("GUIDCap", 400, 8);
    public static final Field CLIENT_REREGISTER = L.bits("ClientReregister", 408, 1);
    public static final Field MULTICAST_PKEY_TRAP_SUPPRESSION = L.bits("MulticastPKeyTrapSuppressionEnabled", 409, 2);
    public static final Field SUBNET_TIME_OUT = L.bits("SubnetTimeOut", 411, 5);
    static final Field RESERVED_416 = L.bits("reserved", 416, 3);
    public static final Field RESP_TIME_VALUE = L.bits("RespTimeValue", 419, 5);
    public static final Field LOCAL_PHY_ERRORS = L.bits("LocalPhyErrors", 424, 4);
    public static final Field OVERRUN_ERRORS = L.bits("OverrunErrors", 428, 4);
    public static final Field MAX_CREDIT_HINT = L.bits("MaxCreditHint", 432, 16);
    static final Field RESERVED_448 = L.bits("reserved", 448, 8);
    public static final Field LINK_SPEED_EXT_ACTIVE2 = L.part(RESERVED_448, "LinkSpeedExtActive2", 449, 2);
    public static final Field LINK_SPEED_EXT_SUPPORTED2 = L.part(RESERVED_448, "LinkSpeedExtSupported2", 451, 2);
    public static final Field LINK_SPEED_EXT_ENABLED2 = L.part(RESERVED_448, "LinkSpeedExtEnabled2", 453, 3);
    public static final Field LINK_ROUND_TRIP_LATENCY = L.bits("LinkRoundTripLatency", 456, 24);
    public static final Field CAPABILITY_MASK2 = L.bits("CapabilityMask2", 480, 16);
    public static final Field LINK_SPEED_EXT_ACTIVE = L.bits("LinkSpeedExtActive", 496, 4);
    public static final Field LINK_SPEED_EXT_SUPPORTED = L.bits("LinkSpeedExtSupported", 500, 4);
    static final Field RESERVED_504 = L.bits("reserved", 504, 3);
    public static final Field LINK_SPEED_EXT_ENABLED = L.bits("LinkSpeedExtEnabled", 507, 5);
    public static final AttributeType<PortInfo> TYPE = L.type(0x0015, PortInfo::new);

    private PortInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PortInfo> type() {
        return TYPE;
    }

    public int lid() {
        return getInt(LID);
    }

    public int lmc() {
        return getInt(LMC);
    }

    public int masterSmLid() {
        return getInt(MASTER_SM_LID);
    }

    public int masterSmSl() {
        return getInt(MASTER_SM_SL);
    }

    public long gidPrefix() {
        return get(GID_PREFIX);
    }

    public int capabilityMask() {
        return (int) get(CAPABILITY_MASK);
    }

    /** Checks whether all of these bits of CapabilityMask are set. */
    public boolean hasCapability(int capability) {
        return (capabilityMask() & capability) == capability;
    }

    /** Checks whether all of these bits of CapabilityMask2 are set. */
    public boolean hasCapability2(int capability) {
        return hasCapability(CAP_CAPABILITY_MASK2) && (get(CAPABILITY_MASK2) & capability) == capability;
    }

    /**
     * Returns the AttributeModifier of a Get or Set of PortInfo. An agent may hide speeds above QDR unless the
     * requester announces that it supports them. An agent without such speeds may read the bit as part of the port
     * number.
     *
     * @param governing port with the relevant capabilities, port 0 of a switch; null if unknown
     */
    public static int modifier(int portNum, @Nullable PortInfo governing) {
        boolean hasExtended = governing != null && governing.hasCapability(CAP_EXTENDED_SPEEDS);
        return hasExtended ? portNum | SM_SUPPORTS_EXTENDED_SPEEDS : portNum;
    }

    /** Checks whether the port reports no supported extended speed, because it has none or hides them. */
    public boolean showsNoExtendedSpeed() {
        return get(LINK_SPEED_EXT_SUPPORTED) == 0 && get(LINK_SPEED_EXT_SUPPORTED2) == 0;
    }

    public int localPortNum() {
        return getInt(LOCAL_PORT_NUM);
    }

    public int portState() {
        return getInt(PORT_STATE);
    }

    public int portPhysicalState() {
        return getInt(PORT_PHYSICAL_STATE);
    }

    /** Checks whether the link is trained: INITIALIZE, ARMED or ACTIVE. */
    public boolean isLinkUp() {
        return portState() >= STATE_INITIALIZE;
    }

    /** Checks whether the SM has armed the link, so that it keeps its tables and may carry data: ARMED or ACTIVE. */
    public boolean isArmedOrActive() {
        return portState() > STATE_INITIALIZE;
    }

    /** Returns the max MTU as a code, 1 (256 bytes) to 5 (4096 bytes). */
    public int mtuCap() {
        return getInt(MTU_CAP);
    }

    /** Returns the MTU code of the link, 1 to 5. */
    public int neighborMtu() {
        return getInt(NEIGHBOR_MTU);
    }

    /** Returns the supported VLs as a VL code: 1 VL0, 2 VL0-1, 3 VL0-3, 4 VL0-7, 5 VL0-14. */
    public int vlCap() {
        return getInt(VL_CAP);
    }

    /** Returns the VL code in use, with the values of {@link #vlCap()}. */
    public int operationalVls() {
        return getInt(OPERATIONAL_VLS);
    }

    public int vlArbitrationHighCap() {
        return getInt(VL_ARBITRATION_HIGH_CAP);
    }

    public int vlArbitrationLowCap() {
        return getInt(VL_ARBITRATION_LOW_CAP);
    }

    /** Returns the number of bytes of an MTU code (IBA 14.2.5.6), 256 to 4096; 0 for an unknown code. */
    public static int mtuBytes(int code) {
        return code >= 1 && code <= 5 ? 128 << code : 0;
    }

    /**
     * Returns the active width, such as {@code 4x}.
     *
     * @param unknown result for an unknown code
     */
    public String widthText(String unknown) {
        return LinkWidth.of(this).map(LinkWidth::toString).orElse(unknown);
    }

    /**
     * Returns the active speed of a lane in Gb/s, such as {@code 25}.
     *
     * @param unknown result for an unknown code
     */
    public String speedText(String unknown) {
        return LinkSpeed.of(this).map(LinkSpeed::gbps).orElse(unknown);
    }
}
