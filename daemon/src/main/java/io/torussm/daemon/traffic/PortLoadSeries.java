package io.torussm.daemon.traffic;

import io.torussm.dataplane.DataPlane;
import java.util.Arrays;

/** How busy ports are from look to look, so that a run can be played again. A byte for each port and look. */
final class PortLoadSeries {
    private static final int MOST = 9;
    private static final int PS_PER_NS = 1_000;

    private final DataPlane plane;
    private final int[] ports;
    private final StringBuilder[] digits;
    private final long[] sentPs;
    private long takenNs;

    /** Creates a film without pictures. */
    PortLoadSeries(DataPlane plane, int[] ports) {
        this.plane = plane;
        this.ports = ports;
        digits = new StringBuilder[ports.length];
        Arrays.setAll(digits, i -> new StringBuilder());
        sentPs = new long[ports.length];
    }

    /** Handles the reset of the plane's counts to 0. */
    void countingBegins() {
        Arrays.fill(sentPs, 0);
    }

    /** Records the bytes sent since the last call; no effect if no time has passed. */
    void take() {
        long ps = (plane.nowNs() - takenNs) * PS_PER_NS;
        takenNs = plane.nowNs();
        for (int i = 0; i < ports.length; i++) {
            long sent = plane.sendingPs(ports[i]);
            long busy = ps == 0 ? 0 : Math.round((double) MOST * (sent - sentPs[i]) / ps);
            digits[i].append((char) ('0' + Math.min(MOST, busy)));
            sentPs[i] = sent;
        }
    }

    /** Returns a digit for each interval, 0 (idle) to 9 (always sending). */
    String of(int port) {
        return digits[port].toString();
    }
}
