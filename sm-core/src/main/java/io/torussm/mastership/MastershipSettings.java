package io.torussm.mastership;

import java.util.concurrent.TimeUnit;

/**
 * The settings of mastership.
 *
 * @param priority 0 to 15
 * @param pollMs milliseconds between two polls of the master
 * @param pollRetries consecutive polls that may fail
 * @param silentMasterWait seconds to wait for an SM that does not answer although its port reports it
 * @param mKeyProtectBits 0 to 3
 * @param trust trusted SMs, and the SM_Key of this SM
 * @param isInactive whether to start in NOT-ACTIVE
 */
public record MastershipSettings(
        int priority,
        int pollMs,
        int pollRetries,
        int silentMasterWait,
        int mKeyProtectBits,
        Trust trust,
        boolean isInactive) {
    /** Returns the shortest time after which a standby takes over from a silent master, in nanoseconds. */
    public long takeoverNs() {
        return TimeUnit.MILLISECONDS.toNanos((long) pollMs * Math.max(1, pollRetries));
    }
}
