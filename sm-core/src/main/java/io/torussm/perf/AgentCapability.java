package io.torussm.perf;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.perf.PerfCapability;

/**
 * The capabilities of an agent according to its ClassPortInfo, without those of which requests were rejected.
 *
 * @param hasExtended whether it has PortCountersExtended
 * @param hasUnicastAndMulticast whether PortCountersExtended has counters of unicast and multicast packets
 * @param hasExtendedErrors whether PortCountersExtended has all error counters
 * @param hasWait whether PortCounters has PortXmitWait
 * @param hasQp1Drops whether PortCounters has QP1Dropped
 * @param hasDetails whether it has PortRcvErrorDetails, which no capability bit announces
 */
record AgentCapability(
        boolean hasExtended,
        boolean hasUnicastAndMulticast,
        boolean hasExtendedErrors,
        boolean hasWait,
        boolean hasQp1Drops,
        boolean hasDetails) {
    /** The capabilities of an agent that rejects ClassPortInfo. */
    static final AgentCapability MINIMAL = new AgentCapability(false, false, false, false, false, true);

    static AgentCapability of(ClassPortInfo info) {
        long mask = info.get(ClassPortInfo.CAPABILITY_MASK);
        boolean hasCasts = (mask & PerfCapability.EXTENDED_WIDTH) != 0;
        boolean hasWide = hasCasts || (mask & PerfCapability.EXTENDED_WIDTH_NO_IETF) != 0;
        boolean hasMore = (info.get(ClassPortInfo.CAPABILITY_MASK2) & PerfCapability.ADDITIONAL_EXTENDED) != 0;
        return new AgentCapability(
                hasWide,
                hasCasts,
                hasWide && hasMore,
                (mask & PerfCapability.XMIT_WAIT) != 0,
                (mask & PerfCapability.QP1_DROP) != 0,
                true);
    }

    AgentCapability withoutExtended() {
        return new AgentCapability(false, false, false, hasWait, hasQp1Drops, hasDetails);
    }

    AgentCapability withoutDetails() {
        return new AgentCapability(hasExtended, hasUnicastAndMulticast, hasExtendedErrors, hasWait, hasQp1Drops, false);
    }
}
