package io.torussm.mad.perf;

import io.torussm.mad.ClassPortInfo;

/**
 * The capabilities of a performance management agent: bits of its {@link ClassPortInfo} beside those of every
 * class (IBA 16.1.3.1).
 */
public final class PerfCapability {
    /** CapabilityMask bit: PortSelect may be {@link CounterSet#ALL_PORTS}. */
    public static final int ALL_PORT_SELECT = 1 << 8;

    /** CapabilityMask bit: PortCountersExtended, with unicast and multicast packets. */
    public static final int EXTENDED_WIDTH = 1 << 9;

    /** CapabilityMask bit: PortCountersExtended without unicast and multicast packets (IETF counters). */
    public static final int EXTENDED_WIDTH_NO_IETF = 1 << 10;

    /** CapabilityMask bit: sampling can only stop automatically. Not used by this program. */
    public static final int SAMPLES_ONLY_OPTION = 1 << 11;

    /** CapabilityMask bit: PortCounters has PortXmitWait. */
    public static final int XMIT_WAIT = 1 << 12;

    /**
     * CapabilityMask bit: counters of constraint errors exclude multicast packets refused because of a limited P_Key.
     */
    public static final int INHIBITS_LIMITED_P_KEY_MULTICAST_CONSTRAINT_ERRORS = 1 << 13;

    /** CapabilityMask bit: PortExtendedSpeedsCounters has the counters of RS-FEC. */
    public static final int RS_FEC_COUNTERS = 1 << 14;

    /** CapabilityMask bit: PortCounters has QP1Dropped. */
    public static final int QP1_DROP = 1 << 15;

    /** CapabilityMask2 bit: the agent has a PM_Key. */
    public static final int PM_KEY = 1;

    /** CapabilityMask2 bit: PortCountersExtended has all counters of PortCounters, in 64 bits. */
    public static final int ADDITIONAL_EXTENDED = 1 << 1;

    private PerfCapability() {}
}
