package io.torussm.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * A histogram of times in buckets that double. Bucket 0 counts times below one unit. Bucket n counts times from 2^(n-1)
 * to below 2^n units; the last bucket also counts all longer times. Any thread may call it.
 */
public final class LatencyHistogram {
    private final long unitNs;
    private final AtomicLongArray buckets;
    private final LongAdder totalNs = new LongAdder();

    /**
     * Creates a histogram without times.
     *
     * @param unitNs nanoseconds of a unit, at least 1
     * @param bucketCount number of buckets, at least 1
     */
    public LatencyHistogram(long unitNs, int bucketCount) {
        this.unitNs = unitNs;
        this.buckets = new AtomicLongArray(bucketCount);
    }

    /** Counts a time in nanoseconds. A negative time counts as 0. */
    public void add(long ns) {
        long timeNs = Math.max(0, ns);
        // The number of significant bits of a time in units: 0 for 0, n for 2^(n-1) to 2^n - 1.
        int bucket = Long.SIZE - Long.numberOfLeadingZeros(timeNs / unitNs);
        buckets.incrementAndGet(Math.min(buckets.length() - 1, bucket));
        totalNs.add(timeNs);
    }

    /** Returns the count of each bucket. */
    public List<Long> buckets() {
        List<Long> counts = new ArrayList<>(buckets.length());
        for (int i = 0; i < buckets.length(); i++) {
            counts.add(buckets.get(i));
        }
        return List.copyOf(counts);
    }

    /** Returns the sum of all times in nanoseconds. */
    public long totalNs() {
        return totalNs.sum();
    }
}
