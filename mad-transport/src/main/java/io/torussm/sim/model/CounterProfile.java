package io.torussm.sim.model;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities and faults of the performance management agent of a device. Immutable.
 *
 * @param extended counters of 64 bits
 * @param hasXmitWait true if PortCounters has PortXmitWait
 * @param sumsPorts true if a switch supports PortSelect 0xFF
 * @param hasDetails true if the agent supports PortRcvErrorDetails and PortXmitDiscardDetails
 * @param wraps true if counters wrap to 0 instead of stopping at their max value, as with some firmware
 * @param resetPeriodNs period after which all counters are cleared, as if by another manager; 0 for never
 * @param redirection target of redirected requests; null for none
 * @param congestion agent of congestion control; null for none
 * @param agent faults of responses: rules on attributes of performance management
 * @param rising counters that increase without traffic
 */
public record CounterProfile(
        Extended extended,
        boolean hasXmitWait,
        boolean sumsPorts,
        boolean hasDetails,
        boolean wraps,
        long resetPeriodNs,
        @Nullable Redirection redirection,
        @Nullable CongestionProfile congestion,
        AgentProfile agent,
        List<Rising> rising) {
    /**
     * Max rate of a {@link Rising} counter: PortXmitData counts units of four octets, 12.5e9 per second at 400 Gb/s.
     */
    public static final double MAX_RATE = 12.5e9;

    /** The counters of 64 bits that an agent supports. */
    public enum Extended {
        /** No counters: PortCountersExtended is rejected. */
        NONE,
        /** Counters of data and packets (IsExtendedWidthSupportedNoIETF). */
        NO_IETF,
        /** Counters of unicast and multicast packets as well (IsExtendedWidthSupported). */
        IETF,
        /** Counters of errors as well. */
        ALL
    }

    /**
     * The target of redirected requests.
     *
     * @param nodeGuid NodeGUID of the node with the port
     * @param portNum number of the end port
     * @param qpn QPN at this port that is used for this device only, at least 2
     */
    public record Redirection(long nodeGuid, int portNum, int qpn) {
        /** Rejects a QPN out of range. */
        public Redirection {
            if (qpn < 2 || qpn > 0xff_ffff) {
                throw new IllegalArgumentException("QP " + qpn + "; use 2 to " + 0xff_ffff);
            }
        }
    }

    /**
     * The default: all optional attributes, and counters of 64 bits except for errors. ibsim and adapters up to
     * ConnectX-4 have these.
     */
    public static final CounterProfile DEFAULT = new CounterProfile(
            Extended.IETF, true, true, true, false, 0, null, null, AgentProfile.CONFORMING, List.of());

    /**
     * A counter that increases from power-up on, such as that of symbol errors of a bad cable.
     *
     * @param portNum port of the device
     * @param counter counter of the port
     * @param perSecond increase in its unit, more than 0 and at most {@link #MAX_RATE}
     */
    public record Rising(int portNum, PortCounter counter, double perSecond) {
        /** Rejects a rate out of range. */
        public Rising {
            if (!(perSecond > 0 && perSecond <= MAX_RATE)) {
                throw new IllegalArgumentException("a rate is more than 0, and at most " + MAX_RATE + ": " + perSecond);
            }
        }

        /**
         * Returns the value of a counter that is never cleared.
         *
         * @param sinceNs time since power-up
         */
        public long valueAt(long sinceNs) {
            return (long) (perSecond * (sinceNs / 1e9));
        }
    }

    /** Copies the list. Rejects a negative period. */
    public CounterProfile {
        rising = List.copyOf(rising);
        if (resetPeriodNs < 0) {
            throw new IllegalArgumentException("a period is not negative: " + resetPeriodNs);
        }
    }

    /** The mutable components of a copy. */
    private static final class Parts {
        private Extended extended;
        private boolean hasXmitWait;
        private boolean sumsPorts;
        private boolean hasDetails;
        private boolean wraps;
        private long resetPeriodNs;
        private @Nullable Redirection redirection;
        private @Nullable CongestionProfile congestion;
        private AgentProfile agent;
        private List<Rising> rising;

        Parts(CounterProfile profile) {
            extended = profile.extended;
            hasXmitWait = profile.hasXmitWait;
            sumsPorts = profile.sumsPorts;
            hasDetails = profile.hasDetails;
            wraps = profile.wraps;
            resetPeriodNs = profile.resetPeriodNs;
            redirection = profile.redirection;
            congestion = profile.congestion;
            agent = profile.agent;
            rising = profile.rising;
        }
    }

    /** Returns a copy with changed components. */
    private CounterProfile with(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return new CounterProfile(
                parts.extended,
                parts.hasXmitWait,
                parts.sumsPorts,
                parts.hasDetails,
                parts.wraps,
                parts.resetPeriodNs,
                parts.redirection,
                parts.congestion,
                parts.agent,
                parts.rising);
    }

    /** Returns a copy with other counters of 64 bits. */
    public CounterProfile extended(Extended counters) {
        return with(parts -> parts.extended = counters);
    }

    /**
     * Returns a copy with the minimum that IBA requires: counters of 32 bits, without PortXmitWait, details and sums of
     * ports. Faults are copied.
     */
    public CounterProfile minimal() {
        return with(parts -> {
            parts.extended = Extended.NONE;
            parts.hasXmitWait = false;
            parts.sumsPorts = false;
            parts.hasDetails = false;
        });
    }

    /** Returns a copy with or without support of PortSelect 0xFF. */
    public CounterProfile summingPorts(boolean isSupported) {
        return with(parts -> parts.sumsPorts = isSupported);
    }

    /** Returns a copy with counters that wrap to 0, or stop at their max value. */
    public CounterProfile wrapping(boolean isWrapping) {
        return with(parts -> parts.wraps = isWrapping);
    }

    /** Returns a copy with periodic clearing of counters, as if by another manager. */
    public CounterProfile resetEvery(long periodNs) {
        return with(parts -> parts.resetPeriodNs = periodNs);
    }

    /** Returns a copy that redirects requests to another port (ClassPortInfo.Redirect). */
    public CounterProfile redirectedTo(Redirection elsewhere) {
        return with(parts -> parts.redirection = elsewhere);
    }

    /** Returns a copy with an agent of congestion control. */
    public CounterProfile withCongestion(@Nullable CongestionProfile agent) {
        return with(parts -> parts.congestion = agent);
    }

    /** Returns a copy with other faults of responses. */
    public CounterProfile withAgent(AgentProfile rules) {
        return with(parts -> parts.agent = rules);
    }

    /** Returns a copy with one more counter that increases without traffic. */
    public CounterProfile rising(Rising another) {
        return with(parts -> parts.rising =
                Stream.concat(rising.stream(), Stream.of(another)).toList());
    }
}
