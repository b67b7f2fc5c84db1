package io.torussm.dataplane;

import java.util.EnumMap;
import java.util.Map;

/** The counters since a moment. Written by the data plane. */
public final class TrafficCounters {
    private static final int SUB_BITS = 4;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;

    /** Histogram of nanoseconds; sixteen buckets are an octave. */
    private final long[] latencies = new long[64 * SUB_BUCKETS];

    private final long[] sentBytes;
    private final Map<Drop, Long> drops = new EnumMap<>(Drop.class);
    final long sincePs;
    private long packets;
    private long bytes;
    private long hops;
    private long latencyCount;
    private double latencySum;

    TrafficCounters(int links, long sincePs) {
        sentBytes = new long[links];
        this.sincePs = sincePs;
    }

    void send(int link, int size) {
        sentBytes[link] += size;
        hops++;
    }

    void deliver(int size, long bornPs, long nowPs) {
        packets++;
        bytes += size;
        if (bornPs >= sincePs) {
            long ns = (nowPs - bornPs) / 1_000;
            latencies[bucket(ns)]++;
            latencySum += ns;
            latencyCount++;
        }
    }

    void drop(Drop reason) {
        drops.merge(reason, 1L, Long::sum);
    }

    /** Returns the number of packets that arrived; one to a group counts at each member. */
    public long packets() {
        return packets;
    }

    /** Returns their bytes. */
    public long bytes() {
        return bytes;
    }

    /** Returns the number of packets that left by any port, of hosts and switches. */
    public long hops() {
        return hops;
    }

    /** Returns the number of packets that were dropped for a reason. */
    public long drops(Drop reason) {
        return drops.getOrDefault(reason, 0L);
    }

    /** Returns the number of dropped packets. */
    public long drops() {
        return drops.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the bytes that left by a port. */
    long sentBytes(int link) {
        return sentBytes[link];
    }

    /**
     * Returns the mean latency in nanoseconds, from the time at which packets were due until the last byte
     * arrived.
     */
    public double meanLatencyNs() {
        return latencyCount == 0 ? 0 : latencySum / latencyCount;
    }

    /**
     * Returns a percentile of the latency, with an error of at most 6 %.
     *
     * @param share 0 to 1
     */
    public long latencyNs(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * latencyCount));
        long seen = 0;
        for (int bucket = 0; bucket < latencies.length; bucket++) {
            seen += latencies[bucket];
            if (seen >= wanted) {
                return value(bucket);
            }
        }
        return 0;
    }

    private static int bucket(long ns) {
        if (ns < SUB_BUCKETS) {
            return (int) ns;
        }
        int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(ns) - SUB_BITS;
        return (octave + 1) * SUB_BUCKETS + (int) (ns >> octave) - SUB_BUCKETS;
    }

    private static long value(int bucket) {
        if (bucket < SUB_BUCKETS) {
            return bucket;
        }
        int octave = bucket / SUB_BUCKETS - 1;
        return (long) (bucket % SUB_BUCKETS + SUB_BUCKETS) << octave;
    }
}
