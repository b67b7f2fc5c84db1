package io.torussm.transport.umad;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many threads use a handle at the moment, so that it is not given away under one. A semaphore: each SMP is sent, and received, by
 * a use of its own, and a lock for readers keeps what each thread holds in a map. Any thread.
 */
final class HandleUsers {
    private final Semaphore uses = new Semaphore(Integer.MAX_VALUE);
    private volatile boolean isClosed;

    /** Begins a use, which {@link #end} ends; false if the handle is, or is about to be, given away. */
    boolean begin() {
        return !isClosed && uses.tryAcquire();
    }

    void end() {
        uses.release();
    }

    /**
     * Lets nobody begin any more, and waits for those who use it. Once.
     *
     * @return false if somebody still does when the time is over, or when the thread is interrupted
     */
    boolean close(long patienceMs) {
        isClosed = true;
        try {
            return uses.tryAcquire(Integer.MAX_VALUE, patienceMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return uses.tryAcquire(Integer.MAX_VALUE);
        }
    }
}
