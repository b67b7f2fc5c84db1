package io.torussm.perf;

import java.util.Arrays;

/**
 * How often the counters of the ports of one device count, as moving averages that forget what is long past: an error is an error an hour at
 * once and fades from then on, so that one error in the first second is not 3,600 an hour; errors at a steady rate are that
 * rate after some hours. Not thread-safe.
 */
final class PortLevels {
    private static final double HOUR_S = 3600;

    /** Congestion of a moment is none. */
    private static final double WAIT_S = 60;

    /** Errors are the first counters. */
    private static final int ERRORS = Counter.errors().size();

    private final float[] hourly;
    private final float[] wait;

    PortLevels(int ports) {
        hourly = new float[ports * ERRORS];
        wait = new float[ports];
    }

    /**
     * Time went by.
     *
     * @param deltas what was counted in it, by index
     * @param waitShare the part of it in which there was no credit
     */
    void add(int port, double seconds, long[] deltas, double waitShare) {
        double kept = Math.exp(-seconds / HOUR_S);
        for (int i = 0; i < ERRORS; i++) {
            hourly[port * ERRORS + i] = (float) (hourly[port * ERRORS + i] * kept + deltas[i]);
        }
        double ofBefore = Math.exp(-seconds / WAIT_S);
        wait[port] = (float) (wait[port] * ofBefore + waitShare * (1 - ofBefore));
    }

    /** Errors an hour. */
    double hourly(int port, Counter error) {
        return hourly[port * ERRORS + error.index()];
    }

    /** All signs of a bad link an hour. */
    double faults(int port) {
        double sum = 0;
        for (Counter error : Counter.errors()) {
            sum += error.isFault() ? hourly(port, error) : 0;
        }
        return sum;
    }

    double waitShare(int port) {
        return wait[port];
    }

    /** Nothing has happened yet. */
    void restart(int port) {
        Arrays.fill(hourly, port * ERRORS, (port + 1) * ERRORS, 0);
    }
}
