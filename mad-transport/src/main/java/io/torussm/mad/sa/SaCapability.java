package io.torussm.mad.sa;

import io.torussm.mad.ClassPortInfo;

/**
 * The optional capabilities of an SA: bits of its {@link ClassPortInfo} beside those of every class (IBA
 * 15.2.4).
 */
public final class SaCapability {
    /** CapabilityMask bit: the SA supports multicast groups of unreliable datagrams. */
    public static final int UD_MULTICAST = 1 << 9;

    /** CapabilityMask bit: the SA supports MultiPathRecord. */
    public static final int MULTI_PATH = 1 << 10;

    /** CapabilityMask bit: PortInfoRecord matches CapabilityMask by containment on request. */
    public static final int PORT_INFO_CAP_MASK_MATCH = 1 << 13;

    /** CapabilityMask2 bit: path records have QoS classes. */
    public static final int QOS_WITH_PATH_RECORDS = 1 << 1;

    /** CapabilityMask2 bit: SwitchInfoRecord has MulticastFDBTop. */
    public static final int MULTICAST_FDB_TOP = 1 << 3;

    /** CapabilityMask2 bit: GUIDInfoRecord assigns alias GUIDs to ports. */
    public static final int ALIAS_GUIDS = 1 << 5;

    /** CapabilityMask2 bit: PortInfoRecord has all fields of PortInfo. */
    public static final int FULL_PORT_INFO_RECORD = 1 << 6;

    /** CapabilityMask2 bit: the SA supports extended speeds. */
    public static final int EXTENDED_SPEEDS = 1 << 7;

    /** CapabilityMask2 bit: PortInfoRecord matches CapabilityMask2 by containment on request. */
    public static final int PORT_INFO_CAP_MASK2_MATCH = 1 << 10;

    /** CapabilityMask2 bit: the SA supports JoinState SendOnlyFullMember. */
    public static final int SEND_ONLY_FULL_MEMBER = 1 << 12;

    /** CapabilityMask2 bit: the SA supports links of two lanes. */
    public static final int LINK_WIDTH_2X = 1 << 13;

    /** CapabilityMask2 bit: the SA supports HDR. */
    public static final int LINK_SPEED_HDR = 1 << 15;

    /** CapabilityMask2 bit: the SA supports NDR. */
    public static final int LINK_SPEED_NDR = 1 << 17;

    private SaCapability() {}
}
