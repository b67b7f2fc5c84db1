package io.torussm.daemon.assembly;

import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.concurrent.TimeUnit;

/**
 * The interval of light sweeps: the configured one, or a shorter one, so that the M_Key lease of no port expires
 * between two sweeps (IBA 14.2.4.2).
 *
 * @param delayNs time in ns until the next sweep is due; without light sweeps, until the options are read again
 * @param isSweeping true if light sweeps are enabled
 * @param isShortened true if the interval is shorter than configured
 */
public record SweepPace(long delayNs, boolean isSweeping, boolean isShortened) {
    /** No light sweeps; the options are read again after a second. */
    static final SweepPace NEVER = new SweepPace(TimeUnit.SECONDS.toNanos(1), false, false);

    private static final EventLog EVENTS = EventLog.of(SweepPace.class);

    /** Number of sweeps within a lease period, so that a late or failed sweep does not let the lease expire. */
    private static final int SWEEPS_PER_LEASE = 2;

    /** Computes the pace from options. */
    public static SweepPace of(SmOptions options) {
        int intervalS = options.sweeps().intervalS();
        long wantedNs = TimeUnit.SECONDS.toNanos(Math.max(1, intervalS));
        if (!options.sweep().isLeased()) {
            return new SweepPace(wantedNs, intervalS > 0, false);
        }
        long leaseNs = TimeUnit.SECONDS.toNanos(options.sweep().mKeyLeasePeriod()) / SWEEPS_PER_LEASE;
        boolean isHurried = intervalS == 0 || leaseNs < wantedNs;
        return new SweepPace(isHurried ? leaseNs : wantedNs, true, isHurried);
    }

    /** Warns the operator if the interval differs from the configured one. */
    public void warn() {
        if (isShortened) {
            EVENTS.report(SmEvent.SWEEPS_FOR_LEASE, EventField.MILLISECONDS.of(TimeUnit.NANOSECONDS.toMillis(delayNs)));
        }
    }
}
