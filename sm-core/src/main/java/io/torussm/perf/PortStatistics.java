package io.torussm.perf;

import java.time.Instant;
import java.util.BitSet;

/**
 * The counters of a port at one moment.
 *
 * @param at time of the last reading
 * @param totals by counter; only those in {@code known} are valid; unmodified after construction
 * @param known indexes of the counters that the port has
 * @param full indexes of counters at the highest value of their field, so that their totals are too small
 * @param errorsPerHour signs of a bad link
 * @param xmitWaitShare share as in {@link PortSample}, of the last reading
 */
public record PortStatistics(
        Instant at,
        long[] totals,
        BitSet known,
        BitSet full,
        double xmitBytesPerSecond,
        double rcvBytesPerSecond,
        double xmitPacketsPerSecond,
        double rcvPacketsPerSecond,
        double xmitWaitShare,
        double errorsPerHour) {

    /** Returns the total of a counter; 0 if the port does not have it. */
    public long total(Counter counter) {
        return totals[counter.index()];
    }

    /** Checks whether the port has a counter. */
    public boolean has(Counter counter) {
        return known.get(counter.index());
    }
}
