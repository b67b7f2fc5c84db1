package io.torussm.perf;

import java.util.concurrent.TimeUnit;

/**
 * The settings of the reading of counters.
 *
 * @param isPolling whether counters are read
 * @param pollIntervalS seconds from one reading of all ports to the next, 1 or more
 * @param maxQueries outstanding requests
 * @param deviceQueries outstanding requests to one device
 * @param madsPerSecond requests that are sent in a second
 * @param ignoresHosts whether only switches are asked
 * @param followsRedirection whether devices may name another address
 * @param forgetsDevices whether devices are dropped after an absence of an hour
 * @param reportsPorts whether there are events when errors begin and end
 * @param readsDetails whether PortRcvErrorDetails are read
 * @param clearing counters that are cleared before they reach their maximum
 * @param samples samples of each port, 2 or more
 * @param errorLimits tolerated errors an hour
 * @param congestionPercent percentage of the time without credit that is reported; 0 for never
 * @param firmwareVersions whether firmware versions are read, by the same client
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
        int congestionPercent,
        boolean firmwareVersions) {
    private static final double PERCENT = 100;

    /** The counters that are cleared before they reach their maximum. */
    public enum Clearing {
        /** The counters of devices without 64-bit counters. */
        AUTO,
        /** All counters without a 64-bit counterpart. */
        ALWAYS,
        NEVER
    }

    /** Returns all limits of a port. */
    public Thresholds limits() {
        return errorLimits.waiting(congestionPercent / PERCENT);
    }

    long intervalNs() {
        return TimeUnit.SECONDS.toNanos(pollIntervalS);
    }
}
