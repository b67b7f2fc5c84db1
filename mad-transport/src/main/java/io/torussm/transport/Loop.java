package io.torussm.transport;

import java.time.Instant;

/**
 * A thread with a clock and timers: Netty's event executor, or a {@link io.torussm.transport.datagram.SocketLoop}; in
 * tests and twins virtual time.
 */
public interface Loop {

    /** A scheduled task that has not run yet. */
    interface Timer {
        /** Cancels the task. Without effect after the task has run. */
        void cancel();
    }

    /** Runs a task on the loop, after all earlier tasks. May be called from any thread. */
    void execute(Runnable task);

    /** Runs a task on the loop after a delay. May be called from any thread. */
    Timer schedule(long delayNs, Runnable task);

    /**
     * Returns the time of the loop's clock in nanoseconds from an arbitrary origin. Only differences are meaningful.
     */
    long nowNs();

    /** Returns the time of day, for display only, since it may be set back. In virtual time it counts from 1970. */
    default Instant timeOfDay() {
        return Instant.EPOCH.plusNanos(nowNs());
    }

    /**
     * Returns the time of day in milliseconds since 1970. Implementations allocate no object, since each SMP needs the
     * time.
     */
    default long timeOfDayMs() {
        return timeOfDay().toEpochMilli();
    }

    /** Checks whether the caller is on the loop. */
    boolean isInLoop();

    /**
     * Checks that the caller is on the loop, for methods that use its state.
     *
     * @throws IllegalStateException if the caller is on another thread
     */
    default void requireInLoop() {
        if (!isInLoop()) {
            throw new IllegalStateException(
                    "called on " + Thread.currentThread().getName() + ", not on the loop");
        }
    }
}
