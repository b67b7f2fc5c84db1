package io.torussm.perf;

import java.util.Arrays;

/**
 * The error rates of the ports of one device, as exponential moving averages. An error counts as one error an
 * hour immediately and fades from then on. Thus one error in the first second is not 3,600 an hour, and a
 * steady rate is shown after some hours. Not thread-safe.
 */
final class PortLevels {
    private static final double HOUR_S = 3600;

    /** The time constant of congestion: a short congestion does not count. */
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
     * Adds an interval.
     *
     * @param deltas counts of the interval, by index
     * @param waitShare share without credit
     */
    void add(int port, double seconds, long[] deltas, double waitShare) {
        double kept = Math.exp(-seconds / HOUR_S);
        for (int i = 0; i < ERRORS; i++) {
            hourly[port * ERRORS + i] = (float) (hourly[port * ERRORS + i] * kept + deltas[i]);
        }
        double ofBefore = Math.exp(-seconds / WAIT_S);
        wait[port] = (float) (wait[port] * ofBefore + waitShare * (1 - ofBefore));
    }

    /** Returns errors an hour. */
    double hourly(int port, Counter error) {
        return hourly[port * ERRORS + error.index()];
    }

    /** Returns all signs of a bad link an hour. */
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

    /** Resets a port. */
    void restart(int port) {
        Arrays.fill(hourly, port * ERRORS, (port + 1) * ERRORS, 0);
    }
}
