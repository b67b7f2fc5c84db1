package io.torussm.daemon.traffic;

import io.torussm.dataplane.DataPlane;
import java.util.Arrays;

/**
 * The utilisation of ports in each interval of a run, so that a page can replay the run. It takes a byte for each port
 * and interval.
 */
final class PortLoadSeries {
    private static final int MAX_DIGIT = 9;
    private static final int PS_PER_NS = 1_000;

    private final DataPlane plane;
    private final int[] ports;
    private final StringBuilder[] digits;
    private final long[] sentPs;
    private long lastSampleNs;

    /** Creates a series without intervals. */
    PortLoadSeries(DataPlane plane, int[] ports) {
        this.plane = plane;
        this.ports = ports;
        digits = new StringBuilder[ports.length];
        Arrays.setAll(digits, i -> new StringBuilder());
        sentPs = new long[ports.length];
    }

    /** Handles the reset of the counters of the data plane to 0. */
    void handleCounterReset() {
        Arrays.fill(sentPs, 0);
    }

    /** Records the bytes sent since the last call; no effect if no time has passed. */
    void sample() {
        long ps = (plane.nowNs() - lastSampleNs) * PS_PER_NS;
        lastSampleNs = plane.nowNs();
        for (int i = 0; i < ports.length; i++) {
            long sent = plane.sendingPs(ports[i]);
            long busy = ps == 0 ? 0 : Math.round((double) MAX_DIGIT * (sent - sentPs[i]) / ps);
            digits[i].append((char) ('0' + Math.min(MAX_DIGIT, busy)));
            sentPs[i] = sent;
        }
    }

    /** Returns a digit for each interval, 0 (idle) to 9 (always sending). */
    String of(int port) {
        return digits[port].toString();
    }
}
