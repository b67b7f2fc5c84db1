package io.torussm.perf;

import java.time.Instant;
import java.util.BitSet;

/**
 * The counters of a port at one moment.
 *
 * @param at time of the last reading
 * @param totals totals by index of the counter; valid for counters in {@code known}; not changed after construction
 * @param known indexes of the counters that the port has
 * @param full indexes of counters at the highest value of their field, so that their totals are too small
 * @param xmitBytesPerSecond sent bytes per second between the last two readings; likewise the other rates
 * @param xmitWaitShare share of the time, 0 to 1, with a packet to send and no credit, between the last two readings
 * @param errorsPerHour number of signs of a bad link per hour
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
