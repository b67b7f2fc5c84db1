package io.torussm.transport;

import java.time.Instant;

/** One thread with a clock: Netty's event executor in production, virtual time in tests. */
public interface Loop {

    /** A scheduled task that has not run yet. */
    interface Timer {
        /** Forgets the task; does nothing if it has run. */
        void cancel();
    }

    /** Runs a task on the loop, after all earlier tasks. May be called from any thread. */
    void execute(Runnable task);

    /** Runs a task on the loop after a delay. May be called from any thread. */
    Timer schedule(long delayNs, Runnable task);

    /** Returns the loop's clock, in nanoseconds from an arbitrary origin. */
    long nowNs();

    /**
     * Returns the time of day, for people only, since it may be set back; in virtual time the clock counts from
     * 1970.
     */
    default Instant timeOfDay() {
        return Instant.EPOCH.plusNanos(nowNs());
    }

    /** Returns the time of day in milliseconds since 1970. No object is allocated, since each SMP needs it. */
    default long timeOfDayMs() {
        return timeOfDay().toEpochMilli();
    }

    /** Checks whether the caller is on the loop. */
    boolean inLoop();

    /**
     * Guards the state that the loop owns.
     *
     * @throws IllegalStateException if the caller is on another thread
     */
    default void check() {
        if (!inLoop()) {
            throw new IllegalStateException(
                    "called on " + Thread.currentThread().getName() + ", not on the loop");
        }
    }
}
