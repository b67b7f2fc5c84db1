package io.torussm.mastership;

import java.util.concurrent.TimeUnit;

/**
 * The settings of mastership.
 *
 * @param priority priority of this SM, 0 to 15
 * @param pollMs milliseconds between two polls of the master
 * @param pollRetries max number of consecutive polls that may fail
 * @param silentMasterWait max seconds to wait for an SM that does not answer although its port reports it
 * @param mKeyProtectBits M_KeyProtectBits of all ports, 0 to 3
 * @param trust criteria for trust in other SMs, and the SM_Key of this SM
 * @param isInactive whether this SM starts in NOT-ACTIVE
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
