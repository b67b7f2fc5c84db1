package io.torussm.mastership;

/** The operations of the sweeper that mastership needs. Called on the loop. */
public interface SweepControl {
    /** Begins a heavy sweep as soon as possible. */
    void sweepHeavy();

    /** Begins a heavy sweep that assumes nothing about the contents of devices and asks every client to reregister. */
    void sweepAnew();

    /** Begins such a sweep immediately, without asking clients. Aborts a sweep that is writing. */
    void startOver();

    /** Checks for changes. */
    void sweepLight();

    /** Stops all activity and unpublishes the subnet: from now on another SM writes to the fabric. */
    void rest();
}
