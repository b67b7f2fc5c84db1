package io.torussm.sim;

import io.torussm.sim.model.PortCounter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exact counters of one port, in 64 bits, and their values when each attribute was last cleared.
 * PortCountersExtended is cleared separately. The other attributes have no counter in common.
 */
final class PortCounts {
    /** Units of four octets of a MAD: LRH, BTH, DETH, 256 bytes and ICRC. */
    private static final int MAD_WORDS = (8 + 12 + 8 + 256 + 4) / 4;

    private final long[] counts = new long[PortCounter.COUNT];
    /** Values by {@link PortCounter#index} at the last clearing by another attribute than PortCountersExtended. */
    private long @Nullable [] valuesAtClearing;

    private long @Nullable [] extendedValuesAtClearing;

    void add(PortCounter counter, long amount) {
        counts[counter.index()] += amount;
    }

    long get(PortCounter counter) {
        return counts[counter.index()];
    }

    void set(PortCounter counter, long value) {
        counts[counter.index()] = value;
        if (valuesAtClearing != null) {
            valuesAtClearing[counter.index()] = 0;
        }
        if (extendedValuesAtClearing != null) {
            extendedValuesAtClearing[counter.index()] = 0;
        }
    }

    /** Counts a MAD that the port sent. */
    void countSentMad() {
        add(PortCounter.XMIT_PKTS, 1);
        add(PortCounter.UNICAST_XMIT_PKTS, 1);
        add(PortCounter.XMIT_DATA, MAD_WORDS);
    }

    /** Counts a MAD that the port received. */
    void countReceivedMad() {
        add(PortCounter.RCV_PKTS, 1);
        add(PortCounter.UNICAST_RCV_PKTS, 1);
        add(PortCounter.RCV_DATA, MAD_WORDS);
    }

    /** Counts a received packet that cannot be decoded. */
    void countUndecodablePacket() {
        add(PortCounter.SYMBOL_ERROR, 1);
        add(PortCounter.RCV_ERRORS, 1);
        add(PortCounter.LOCAL_PHYSICAL_ERRORS, 1);
    }

    /** Returns the count since the attribute was cleared. */
    long valueSinceClearing(PortCounter counter, boolean isExtended) {
        long[] base = isExtended ? extendedValuesAtClearing : valuesAtClearing;
        return counts[counter.index()] - (base == null ? 0 : base[counter.index()]);
    }

    void clear(PortCounter counter, boolean isExtended) {
        long[] base = isExtended ? extendedValuesAtClearing : valuesAtClearing;
        if (base == null) {
            base = new long[PortCounter.COUNT];
            if (isExtended) {
                extendedValuesAtClearing = base;
            } else {
                valuesAtClearing = base;
            }
        }
        base[counter.index()] = counts[counter.index()];
    }

    /** Resets all counts, as after power-up. */
    void reset() {
        Arrays.fill(counts, 0);
        valuesAtClearing = null;
        extendedValuesAtClearing = null;
    }
}
