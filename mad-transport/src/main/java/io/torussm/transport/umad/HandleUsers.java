package io.torussm.transport.umad;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How many threads use a handle at the moment, so that it is not given away under one. A count: each SMP is sent, and received, by
 * a use of its own, and a lock for readers keeps what each thread holds in a map. Any thread.
 */
final class HandleUsers {
    /** Below 0 with any number of users. */
    private static final int CLOSED = Integer.MIN_VALUE;

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicInteger users = new AtomicInteger();

    /** Begins a use, which {@link #end} ends; false if the handle is, or is about to be, given away. */
    boolean begin() {
        if (users.incrementAndGet() > 0) {
            return true;
        }
        end();
        return false;
    }

    void end() {
        users.decrementAndGet();
    }

    /**
     * Lets nobody begin any more, and waits for those who use it. Once.
     *
     * @return false if somebody still does when the time is over, or the thread is interrupted
     */
    boolean close(long patienceMs) {
        users.addAndGet(CLOSED);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
        while (users.get() != CLOSED && System.nanoTime() - deadlineNs < 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(this, LOOK_NS);
        }
        return users.get() == CLOSED;
    }
}
