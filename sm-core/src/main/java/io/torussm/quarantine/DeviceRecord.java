package io.torussm.quarantine;

/**
 * The record of failures of a device. All parts of the device share it, so that failures of different parts add up.
 * Owner thread: the loop.
 */
final class DeviceRecord {
    /** Number of the last sweep with a failure; 0 before the first. */
    private long lastFailedSweep;

    /** True if the device was released, and no part was excluded since. */
    private boolean isReleased;

    private int failures;
    private int releases;
    private long releasedNs;

    /** Records that a part of the device failed in a sweep. */
    void onFailure(long sweep) {
        failures += lastFailedSweep == sweep ? 0 : 1;
        lastFailedSweep = sweep;
    }

    boolean hasFailedIn(long sweep) {
        return lastFailedSweep == sweep;
    }

    /** Records that the device did not fail in a sweep. */
    void onSuccess() {
        failures = 0;
    }

    /** Records that a part of the device was excluded. */
    void onExclusion() {
        isReleased = false;
    }

    /** Records a release. Consecutive releases of several parts count as one. */
    void onRelease(long nowNs) {
        failures = 0;
        releases += isReleased ? 0 : 1;
        isReleased = true;
        releasedNs = nowNs;
    }

    /** Returns the number of consecutive sweeps in which a part of the device failed. */
    int failures() {
        return failures;
    }

    /** Returns the number of releases of the device. */
    int releases() {
        return releases;
    }

    /** Returns the time of the loop at the last release, in nanoseconds. */
    long releasedNs() {
        return releasedNs;
    }
}
