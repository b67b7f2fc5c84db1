package io.torussm.perf;

import java.util.Arrays;

/**
 * The error rates of the ports of one device, as exponential moving averages. An error immediately counts as one error
 * per hour and then decays with a time constant of one hour. So one error in the first second is not shown as 3,600 per
 * hour, and a steady rate is shown after some hours. Not thread-safe.
 */
final class PortLevels {
    private static final double HOUR_S = 3600;

    /** Time constant of the share of time without credit in seconds, so that a short congestion is ignored. */
    private static final double WAIT_TIME_CONSTANT_S = 60;

    /** Number of error counters, which have the indexes 0 to ERRORS - 1. */
    private static final int ERRORS = Counter.errors().size();

    /** Errors per hour {@code [port * ERRORS + counter]}. */
    private final float[] errorsPerHour;

    /** Share of time without credit {@code [port]}. */
    private final float[] waitShares;

    PortLevels(int ports) {
        errorsPerHour = new float[ports * ERRORS];
        waitShares = new float[ports];
    }

    /**
     * Adds the counts of an interval between two readings.
     *
     * @param port port number
     * @param seconds duration of the interval
     * @param deltas counts of the interval, by index of the counter
     * @param waitShare share of the interval without credit, 0 to 1
     */
    void add(int port, double seconds, long[] deltas, double waitShare) {
        double errorDecay = Math.exp(-seconds / HOUR_S);
        for (int i = 0; i < ERRORS; i++) {
            errorsPerHour[port * ERRORS + i] = (float) (errorsPerHour[port * ERRORS + i] * errorDecay + deltas[i]);
        }
        double waitDecay = Math.exp(-seconds / WAIT_TIME_CONSTANT_S);
        waitShares[port] = (float) (waitShares[port] * waitDecay + waitShare * (1 - waitDecay));
    }

    /** Returns the errors of a counter per hour. */
    double errorsPerHour(int port, Counter error) {
        return errorsPerHour[port * ERRORS + error.index()];
    }

    /** Returns the number of all signs of a bad link per hour. */
    double faultsPerHour(int port) {
        double sum = 0;
        for (Counter error : Counter.errors()) {
            sum += error.isFault() ? errorsPerHour(port, error) : 0;
        }
        return sum;
    }

    double waitShare(int port) {
        return waitShares[port];
    }

    /** Resets the error rates of a port. */
    void restart(int port) {
        Arrays.fill(errorsPerHour, port * ERRORS, (port + 1) * ERRORS, 0);
    }
}
