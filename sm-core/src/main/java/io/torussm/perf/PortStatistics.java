package io.torussm.perf;

import java.time.Instant;
import java.util.BitSet;

/**
 * What is known of the counters of a port at one moment.
 *
 * @param at when it was read last
 * @param totals by counter, of which only those in {@code known} mean anything; not changed any more
 * @param known indexes of the counters that the port has
 * @param full indexes of those that stand at the highest value of their field, so that there were more than the total says
 * @param errorsPerHour signs of a bad link
 * @param xmitWaitShare as in {@link PortSample}, of the last reading
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

    /** The total of a counter; 0 if the port does not have it. */
    public long total(Counter counter) {
        return totals[counter.index()];
    }

    /** Whether the port has a counter. */
    public boolean has(Counter counter) {
        return known.get(counter.index());
    }
}
