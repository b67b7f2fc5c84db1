package io.torussm.quarantine;

/**
 * The record of failures of a device, whichever part of it fails, so that its parts are not retried one by
 * one. Owner thread: the loop.
 */
final class DeviceRecord {
    private long failedIn;
    private boolean isReleased;
    private int failures;
    private int releases;
    private long releasedNs;

    /** Notes that a part of the device failed in a sweep. */
    void failed(long sweep) {
        failures += failedIn == sweep ? 0 : 1;
        failedIn = sweep;
    }

    boolean hasFailedIn(long sweep) {
        return failedIn == sweep;
    }

    /** Notes that the device did not fail in a sweep. */
    void didWell() {
        failures = 0;
    }

    void leftOut() {
        isReleased = false;
    }

    /** Notes a release. Consecutive releases of several parts count as one. */
    void released(long nowNs) {
        failures = 0;
        releases += isReleased ? 0 : 1;
        isReleased = true;
        releasedNs = nowNs;
    }

    /** Returns the number of consecutive sweeps in which it failed. */
    int failures() {
        return failures;
    }

    /** Returns the number of its releases. */
    int releases() {
        return releases;
    }

    /** Returns the time of its last release, in nanoseconds. */
    long releasedNs() {
        return releasedNs;
    }
}
