package io.torussm.mastership;

/** The sweeper as mastership sees it. Called on the loop. */
public interface SweepControl {
    /** Begins a heavy sweep as soon as may be. */
    void sweepHeavy();

    /** The same; nothing is taken for granted of what devices hold, and every client is asked to reregister. */
    void sweepAnew();

    /** The same without asking clients, and at once: a sweep that writes is broken off. */
    void startOver();

    /** Looks for changes. */
    void sweepLight();

    /** Stops whatever runs and unpublishes the subnet: from now on another SM writes to the fabric. */
    void rest();
}
