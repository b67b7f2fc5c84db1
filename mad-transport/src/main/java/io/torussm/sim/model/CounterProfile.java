package io.torussm.sim.model;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The capabilities and faults of the performance management agent of a device. Immutable.
 *
 * @param extended supported counters of 64 bits
 * @param hasXmitWait true if PortCounters has PortXmitWait
 * @param sumsPorts true if a switch supports PortSelect 0xFF
 * @param hasDetails true if PortRcvErrorDetails and PortXmitDiscardDetails are supported
 * @param wraps true if counters wrap to 0 instead of stopping at their highest value, as with some firmware
 * @param resetPeriodNs period after which all counters are cleared, as if by another manager; 0: never
 * @param redirection target of redirected requests; null: none
 * @param congestion agent of congestion control; null: none
 * @param manners faults of responses: rules on attributes of performance management
 * @param rising counters that increase automatically
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
        AgentProfile manners,
        List<Rising> rising) {
    /** The highest rate of a {@link Rising} counter: PortXmitData counts units of four octets, 12.5e9 at 400 Gb/s. */
    public static final double MAX_RATE = 12.5e9;

    /** The counters of 64 bits that an agent supports. */
    public enum Extended {
        /** None: PortCountersExtended is rejected. */
        NONE,
        /** Data and packets (IsExtendedWidthSupportedNoIETF). */
        NO_IETF,
        /** Unicast and multicast packets as well (IsExtendedWidthSupported). */
        IETF,
        /** Counters of errors as well. */
        ALL
    }

    /**
     * Another place for the requests to a device.
     *
     * @param nodeGuid NodeGUID of the node with the port
     * @param portNum end port
     * @param qpn QPN which only this device uses; at least 2
     */
    public record Redirection(long nodeGuid, int portNum, int qpn) {
        /** Rejects a QPN out of its range. */
        public Redirection {
            if (qpn < 2 || qpn > 0xff_ffff) {
                throw new IllegalArgumentException("QP " + qpn + "; use 2 to " + 0xff_ffff);
            }
        }
    }

    /**
     * The default: counters of 64 bits except for errors, and all optional attributes; as ibsim, and adapters
     * up to ConnectX-4.
     */
    public static final CounterProfile USUAL = new CounterProfile(
            Extended.IETF, true, true, true, false, 0, null, null, AgentProfile.CONFORMING, List.of());

    /**
     * A counter that goes up all the time from power-up on, such as that of symbol errors of a bad cable.
     *
     * @param perSecond increase in its unit, more than 0 and at most {@link #MAX_RATE}
     */
    public record Rising(int portNum, PortCounter counter, double perSecond) {
        /** Rejects a rate out of its range. */
        public Rising {
            if (!(perSecond > 0 && perSecond <= MAX_RATE)) {
                throw new IllegalArgumentException("a rate is more than 0, and at most " + MAX_RATE + ": " + perSecond);
            }
        }

        /** Returns the value of the counter a time after power-up, if it is never cleared. */
        public long after(long sinceNs) {
            return (long) (perSecond * (sinceNs / 1e9));
        }
    }

    /** Rejects a negative period. */
    public CounterProfile {
        rising = List.copyOf(rising);
        if (resetPeriodNs < 0) {
            throw new IllegalArgumentException("a period is not negative: " + resetPeriodNs);
        }
    }

    /** All components, to be changed one by one. */
    private static final class Parts {
        private Extended extended;
        private boolean hasXmitWait;
        private boolean sumsPorts;
        private boolean hasDetails;
        private boolean wraps;
        private long resetPeriodNs;
        private @Nullable Redirection redirection;
        private @Nullable CongestionProfile congestion;
        private AgentProfile manners;
        private List<Rising> rising;

        Parts(CounterProfile of) {
            extended = of.extended;
            hasXmitWait = of.hasXmitWait;
            sumsPorts = of.sumsPorts;
            hasDetails = of.hasDetails;
            wraps = of.wraps;
            resetPeriodNs = of.resetPeriodNs;
            redirection = of.redirection;
            congestion = of.congestion;
            manners = of.manners;
            rising = of.rising;
        }
    }

    private CounterProfile but(Consumer<Parts> change) {
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
                parts.manners,
                parts.rising);
    }

    /** Returns a copy with other counters of 64 bits. */
    public CounterProfile extended(Extended counters) {
        return but(parts -> parts.extended = counters);
    }

    /** Returns a copy with the minimum of IBA: counters of 32 bits, without PortXmitWait, details and sums of ports. */
    public CounterProfile leastOfAll() {
        return but(parts -> {
            parts.extended = Extended.NONE;
            parts.hasXmitWait = false;
            parts.sumsPorts = false;
            parts.hasDetails = false;
        });
    }

    /** Returns a copy with or without PortSelect 0xFF. */
    public CounterProfile summingPorts(boolean isSupported) {
        return but(parts -> parts.sumsPorts = isSupported);
    }

    /** Returns a copy with counters that begin again at 0. */
    public CounterProfile wrapping() {
        return but(parts -> parts.wraps = true);
    }

    /** Returns a copy with periodic clearing of counters, as if by another manager. */
    public CounterProfile resetEvery(long periodNs) {
        return but(parts -> parts.resetPeriodNs = periodNs);
    }

    /** Returns a copy that redirects requests (ClassPortInfo.Redirect). */
    public CounterProfile redirectedTo(Redirection elsewhere) {
        return but(parts -> parts.redirection = elsewhere);
    }

    /** Returns a copy with an agent of congestion control. */
    public CounterProfile withCongestion(CongestionProfile agent) {
        return but(parts -> parts.congestion = agent);
    }

    /** Returns a copy with faults of responses, as rules on attributes of performance management. */
    public CounterProfile answering(AgentProfile rules) {
        return but(parts -> parts.manners = rules);
    }

    /** Returns a copy with one more counter that increases automatically. */
    public CounterProfile rising(Rising another) {
        return but(parts -> parts.rising =
                Stream.concat(rising.stream(), Stream.of(another)).toList());
    }
}
