package io.torussm.daemon.assembly;

import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.concurrent.TimeUnit;

/**
 * The interval of light sweeps: as configured, but short enough that no port's M_Key lease expires in between
 * (IBA 14.2.4.2).
 *
 * @param delayNs time until the next sweep is due, or until the next decision
 * @param isSweeping true if there are light sweeps
 * @param isHurried true if the interval is shorter than configured
 */
public record SweepPace(long delayNs, boolean isSweeping, boolean isHurried) {
    /** No light sweeps, with a new decision each second. */
    static final SweepPace NEVER = new SweepPace(TimeUnit.SECONDS.toNanos(1), false, false);

    private static final EventLog EVENTS = EventLog.of(SweepPace.class);

    /** Sweeps in a lease period, so that one that is late or lost does not end the protection. */
    private static final int SWEEPS_PER_LEASE = 2;

    /** Returns the pace that options ask for. */
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
        if (isHurried) {
            EVENTS.report(SmEvent.SWEEPS_FOR_LEASE, EventField.MILLISECONDS.of(TimeUnit.NANOSECONDS.toMillis(delayNs)));
        }
    }
}
