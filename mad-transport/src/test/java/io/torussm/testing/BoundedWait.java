package io.torussm.testing;

import io.torussm.sim.VirtualLoop;
import java.util.function.BooleanSupplier;

/** A wait in virtual time that fails the test if its condition stays false. */
public final class BoundedWait {
    private BoundedWait() {}

    /**
     * Runs tasks of a loop until a condition is true.
     *
     * @param description clause that states the condition, for the message of the error
     * @throws AssertionError if the condition is false when no task remains or the limit is reached
     */
    public static void until(VirtualLoop loop, String description, BooleanSupplier condition, long limitNs) {
        if (!loop.runUntil(condition, limitNs)) {
            throw new AssertionError("not within " + limitNs / 1e9 + " s of virtual time: " + description);
        }
    }
}
