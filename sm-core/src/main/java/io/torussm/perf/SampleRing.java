package io.torussm.perf;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The last samples of the ports of one device, each of 24 octets, in a ring for each port. Arrays are
 * {@code [port * depth + place]}. Not thread-safe.
 */
final class SampleRing {
    private final int depth;
    private final long[] atMs;
    private final float[] xmit;
    private final float[] rcv;
    private final float[] wait;
    private final int[] errors;

    /**
     * Number of samples {@code [port]}, from which a multiple of depth is subtracted so that it stays below 2 depth.
     */
    private final int[] count;

    SampleRing(int ports, int depth) {
        this.depth = depth;
        atMs = new long[ports * depth];
        xmit = new float[ports * depth];
        rcv = new float[ports * depth];
        wait = new float[ports * depth];
        errors = new int[ports * depth];
        count = new int[ports];
    }

    void add(int port, long timeMs, double xmitRate, double rcvRate, double waitShare, long errorCount) {
        int at = port * depth + count[port] % depth;
        atMs[at] = timeMs;
        xmit[at] = (float) xmitRate;
        rcv[at] = (float) rcvRate;
        wait[at] = (float) waitShare;
        errors[at] = (int) Math.min(Integer.MAX_VALUE, errorCount);
        count[port] = count[port] + 1 == 2 * depth ? depth : count[port] + 1;
    }

    /** Returns the samples of a port, the oldest first. */
    List<PortSample> samples(int port) {
        int kept = Math.min(depth, count[port]);
        List<PortSample> samples = new ArrayList<>(kept);
        for (int i = count[port] - kept; i < count[port]; i++) {
            int at = port * depth + i % depth;
            samples.add(new PortSample(Instant.ofEpochMilli(atMs[at]), xmit[at], rcv[at], wait[at], errors[at]));
        }
        return samples;
    }
}
