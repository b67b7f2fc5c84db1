package io.torussm.quarantine;

/**
 * What is held against a device, whatever part of it fails: one that fails here and there is not tried for each by itself. Owner
 * thread: the loop.
 */
final class DeviceRecord {
    private long failedIn;
    private boolean isReleased;
    private int failures;
    private int releases;
    private long releasedNs;

    /** Some part of it failed in a sweep. */
    void failed(long sweep) {
        failures += failedIn == sweep ? 0 : 1;
        failedIn = sweep;
    }

    boolean hasFailedIn(long sweep) {
        return failedIn == sweep;
    }

    /** It did not fail in a sweep. */
    void didWell() {
        failures = 0;
    }

    void leftOut() {
        isReleased = false;
    }

    /** Parts that are released one after the other count as one release. */
    void released(long nowNs) {
        failures = 0;
        releases += isReleased ? 0 : 1;
        isReleased = true;
        releasedNs = nowNs;
    }

    /** Sweeps in a row in which it failed. */
    int failures() {
        return failures;
    }

    /** How often it was released. */
    int releases() {
        return releases;
    }

    /** When it was released last. */
    long releasedNs() {
        return releasedNs;
    }
}
