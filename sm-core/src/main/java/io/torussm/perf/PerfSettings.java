package io.torussm.perf;

import java.util.concurrent.TimeUnit;

/**
 * How the counters of ports are read.
 *
 * @param isPolling whether they are
 * @param pollIntervalS seconds from one reading of all ports to the next, 1 or more
 * @param maxQueries requests on the wire at once
 * @param deviceQueries requests at one device at once
 * @param madsPerSecond requests that are sent in a second
 * @param ignoresHosts whether only switches are asked
 * @param followsRedirection whether devices may name another address
 * @param forgetsDevices whether devices are forgotten that are gone for an hour
 * @param reportsPorts whether there are events when errors begin and end
 * @param readsDetails whether PortRcvErrorDetails are read
 * @param clearing what is cleared before it stands still
 * @param samples that are kept of each port, 2 or more
 * @param errorLimits errors an hour that are too many
 * @param congestionPercent of the time without credit that is too much; 0: never
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

    /** Which counters are cleared before they stand still. */
    public enum Clearing {
        /** Those of devices that have none of 64 bits. */
        AUTO,
        /** All that have no twin of 64 bits. */
        ALWAYS,
        NEVER
    }

    /** All limits of a port. */
    public Thresholds limits() {
        return errorLimits.waiting(congestionPercent / PERCENT);
    }

    long intervalNs() {
        return TimeUnit.SECONDS.toNanos(pollIntervalS);
    }
}
