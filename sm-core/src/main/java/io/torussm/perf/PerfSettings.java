package io.torussm.perf;

import java.util.concurrent.TimeUnit;

/**
 * The settings of the reading of counters.
 *
 * @param isPolling whether counters are read
 * @param pollIntervalS seconds from one reading of all ports to the next, 1 or more
 * @param maxQueries max number of pending requests
 * @param deviceQueries max number of pending requests to one device
 * @param madsPerSecond max number of requests per second
 * @param ignoresHosts whether only switches are read
 * @param followsRedirection whether requests are sent to the address to which an agent redirects them
 * @param forgetsDevices whether counters of a device are removed after an absence of an hour
 * @param reportsPorts whether the begin and end of errors of ports are reported
 * @param readsDetails whether PortRcvErrorDetails is read
 * @param clearing selection of the counters that are cleared before they reach their maximum
 * @param samples number of samples of each port, 2 or more
 * @param errorLimits max errors per hour that are not reported
 * @param congestionPercent percentage of the time without credit from which congestion is reported; 0: never
 */
public record PerfSettings(
        boolean isPolling,
        int pollIntervalS,
        int maxQueries,
        int deviceQueries,
        int madsPerSecond,
        boolean ignoresHosts,
        boolean followsRedirection,
        boolean forgetsDevices,
        boolean reportsPorts,
        boolean readsDetails,
        Clearing clearing,
        int samples,
        Thresholds errorLimits,
        int congestionPercent) {
    private static final double PERCENT = 100;

    /** The selection of counters that are cleared before they reach their maximum. */
    public enum Clearing {
        /** Only counters of devices without 64-bit counters. */
        AUTO,
        /** All counters that a device does not have in 64 bits. */
        ALWAYS,
        /** No counter. */
        NEVER
    }

    /** Returns the limits of errors and of congestion. */
    public Thresholds limits() {
        return errorLimits.withWaitShare(congestionPercent / PERCENT);
    }

    long intervalNs() {
        return TimeUnit.SECONDS.toNanos(pollIntervalS);
    }
}
