package io.torussm.mastership;

/** The operations of the sweeper that mastership needs. Called on the loop. */
public interface SweepControl {
    /** Begins a heavy sweep as soon as possible. */
    void sweepHeavy();

    /**
     * Begins a heavy sweep for which the contents of devices are unknown, and that sets ClientReregister at all ports.
     */
    void sweepAsNewMaster();

    /** Aborts the running sweep and begins a heavy sweep for which the contents of devices are unknown. */
    void restartSweep();

    /** Begins a light sweep. */
    void sweepLight();

    /** Stops all activity and withdraws the published subnet, because another SM writes to the fabric from now on. */
    void withdraw();
}
