package io.torussm.sim;

import io.torussm.mad.perf.CongestionInfo;
import java.util.ArrayList;
import java.util.List;
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
 * @param rising counters that go up by themselves
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
        AgentProfile manners,
        List<Rising> rising) {
    /** The highest rate of a {@link Rising} counter: four octets at 400 Gb/s. */
    public static final double MAX_RATE = 12.5e9;

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
            new CounterProfile(Extended.IETF, true, true, true, false, 0, null, null, AgentProfile.OBEDIENT, List.of());

    /**
     * A counter that goes up all the time from power-up on, such as that of symbol errors of a bad cable.
     *
     * @param perSecond more than 0
     */
    public record Rising(int portNum, PortCounter counter, double perSecond) {
        /** Checks the rate. */
        public Rising {
            if (!(perSecond > 0 && perSecond <= MAX_RATE)) {
                throw new IllegalArgumentException("a rate is more than 0, and at most " + MAX_RATE + ": " + perSecond);
            }
        }

        /** How far it has come without being cleared. */
        long after(long sinceNs) {
            return (long) (perSecond * (sinceNs / 1e9));
        }
    }

    /** Checks the period, and copies the list. */
    public CounterProfile {
        rising = List.copyOf(rising);
        if (resetPeriodNs < 0) {
            throw new IllegalArgumentException("a period is not negative: " + resetPeriodNs);
        }
    }

    /** Other counters of 64 bits. */
    public CounterProfile extended(Extended which) {
        return new CounterProfile(
                which,
                hasXmitWait,
                sumsPorts,
                hasDetails,
                wraps,
                resetPeriodNs,
                redirection,
                congestion,
                manners,
                rising);
    }

    /** Counters of 32 bits and less, without PortXmitWait and details, one port at a time: what IBA demands. */
    public CounterProfile leastOfAll() {
        return new CounterProfile(
                Extended.NONE, false, false, false, wraps, resetPeriodNs, redirection, congestion, manners, rising);
    }

    /** With or without PortSelect 0xFF. */
    public CounterProfile summingPorts(boolean isSupported) {
        return new CounterProfile(
                extended,
                hasXmitWait,
                isSupported,
                hasDetails,
                wraps,
                resetPeriodNs,
                redirection,
                congestion,
                manners,
                rising);
    }

    /** Counters that begin again at 0. */
    public CounterProfile wrapping() {
        return new CounterProfile(
                extended,
                hasXmitWait,
                sumsPorts,
                hasDetails,
                true,
                resetPeriodNs,
                redirection,
                congestion,
                manners,
                rising);
    }

    /** Counters that are cleared by somebody else from time to time. */
    public CounterProfile resetEvery(long periodNs) {
        return new CounterProfile(
                extended,
                hasXmitWait,
                sumsPorts,
                hasDetails,
                wraps,
                periodNs,
                redirection,
                congestion,
                manners,
                rising);
    }

    /** Requests are sent elsewhere. */
    public CounterProfile redirectedTo(Redirection elsewhere) {
        return new CounterProfile(
                extended,
                hasXmitWait,
                sumsPorts,
                hasDetails,
                wraps,
                resetPeriodNs,
                elsewhere,
                congestion,
                manners,
                rising);
    }

    /** Takes part in congestion control. */
    public CounterProfile withCongestion(CongestionInfo info) {
        return new CounterProfile(
                extended, hasXmitWait, sumsPorts, hasDetails, wraps, resetPeriodNs, redirection, info, manners, rising);
    }

    /** Answers no better than rules say, which are about attributes of performance management. */
    public CounterProfile answering(AgentProfile rules) {
        return new CounterProfile(
                extended,
                hasXmitWait,
                sumsPorts,
                hasDetails,
                wraps,
                resetPeriodNs,
                redirection,
                congestion,
                rules,
                rising);
    }

    /** Also a counter that goes up by itself. */
    public CounterProfile rising(Rising another) {
        List<Rising> more = new ArrayList<>(rising);
        more.add(another);
        return new CounterProfile(
                extended,
                hasXmitWait,
                sumsPorts,
                hasDetails,
                wraps,
                resetPeriodNs,
                redirection,
                congestion,
                manners,
                more);
    }
}
