package io.torussm.perf;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The last samples of the ports of one device, up to a given number, each of 24 octets. Not thread-safe. */
final class SampleRing {
    private final int depth;
    private final long[] atMs;
    private final float[] xmit;
    private final float[] rcv;
    private final float[] wait;
    private final int[] errors;
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

    /** Returns the samples, oldest first. */
    List<PortSample> samples(int port) {
        int held = Math.min(depth, count[port]);
        List<PortSample> samples = new ArrayList<>(held);
        for (int i = count[port] - held; i < count[port]; i++) {
            int at = port * depth + i % depth;
            samples.add(new PortSample(Instant.ofEpochMilli(atMs[at]), xmit[at], rcv[at], wait[at], errors[at]));
        }
        return samples;
    }
}
