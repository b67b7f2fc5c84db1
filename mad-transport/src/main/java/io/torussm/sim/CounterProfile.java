package io.torussm.sim;

import io.torussm.mad.perf.CongestionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What the agent for performance management of a device can, and how it departs from a good one. Immutable.
 *
 * @param extended which counters of 64 bits it has
 * @param hasXmitWait PortCounters has PortXmitWait
 * @param sumsPorts PortSelect 0xFF, if this is a switch
 * @param hasDetails PortRcvErrorDetails and PortXmitDiscardDetails
 * @param wraps counters begin again at 0 instead of standing still at their highest value, as those of some firmware do
 * @param resetPeriodNs all counters are 0 again after each span of this time, as if somebody else cleared them; 0: never
 * @param redirection where requests are sent away to; null: nowhere
 * @param congestion what a Get of CongestionInfo is answered with; null: no agent for congestion control
 * @param manners how well it answers: rules on attributes of performance management
 */
public record CounterProfile(
        Extended extended,
        boolean hasXmitWait,
        boolean sumsPorts,
        boolean hasDetails,
        boolean wraps,
        long resetPeriodNs,
        @Nullable Redirection redirection,
        @Nullable CongestionInfo congestion,
        AgentProfile manners) {
    /** Counters of 64 bits. */
    public enum Extended {
        /** None: the attribute is refused. */
        NONE,
        /** Data and packets. */
        NO_IETF,
        /** Unicast and multicast packets as well. */
        IETF,
        /** All counters. */
        ALL
    }

    /**
     * Another place for the requests to a device.
     *
     * @param nodeGuid of the node with the port
     * @param portNum its end port
     * @param qpn which only this device uses; at least 2
     */
    public record Redirection(long nodeGuid, int portNum, int qpn) {
        /** Checks the QP. */
        public Redirection {
            if (qpn < 2 || qpn > 0xff_ffff) {
                throw new IllegalArgumentException("QP " + qpn + "; use 2 to " + 0xff_ffff);
            }
        }
    }

    /** All but 64 bits for errors, as ibsim, and adapters up to ConnectX-4. */
    public static final CounterProfile USUAL =
            new CounterProfile(Extended.IETF, true, true, true, false, 0, null, null, AgentProfile.OBEDIENT);

    /** Checks the period. */
    public CounterProfile {
        if (resetPeriodNs < 0) {
            throw new IllegalArgumentException("a period is not negative: " + resetPeriodNs);
        }
    }

    /** Other counters of 64 bits. */
    public CounterProfile extended(Extended which) {
        return new CounterProfile(
                which, hasXmitWait, sumsPorts, hasDetails, wraps, resetPeriodNs, redirection, congestion, manners);
    }

    /** Counters of 32 bits and less, without PortXmitWait and details, one port at a time: what IBA demands. */
    public CounterProfile leastOfAll() {
        return new CounterProfile(
                Extended.NONE, false, false, false, wraps, resetPeriodNs, redirection, congestion, manners);
    }

    /** With or without PortSelect 0xFF. */
    public CounterProfile summingPorts(boolean isSupported) {
        return new CounterProfile(
                extended, hasXmitWait, isSupported, hasDetails, wraps, resetPeriodNs, redirection, congestion, manners);
    }

    /** Counters that begin again at 0. */
    public CounterProfile wrapping() {
        return new CounterProfile(
                extended, hasXmitWait, sumsPorts, hasDetails, true, resetPeriodNs, redirection, congestion, manners);
    }

    /** Counters that are cleared by somebody else from time to time. */
    public CounterProfile resetEvery(long periodNs) {
        return new CounterProfile(
                extended, hasXmitWait, sumsPorts, hasDetails, wraps, periodNs, redirection, congestion, manners);
    }

    /** Requests are sent elsewhere. */
    public CounterProfile redirectedTo(Redirection elsewhere) {
        return new CounterProfile(
                extended, hasXmitWait, sumsPorts, hasDetails, wraps, resetPeriodNs, elsewhere, congestion, manners);
    }

    /** Takes part in congestion control. */
    public CounterProfile withCongestion(CongestionInfo info) {
        return new CounterProfile(
                extended, hasXmitWait, sumsPorts, hasDetails, wraps, resetPeriodNs, redirection, info, manners);
    }

    /** Answers no better than rules say, which are about attributes of performance management. */
    public CounterProfile answering(AgentProfile rules) {
        return new CounterProfile(
                extended, hasXmitWait, sumsPorts, hasDetails, wraps, resetPeriodNs, redirection, congestion, rules);
    }
}
