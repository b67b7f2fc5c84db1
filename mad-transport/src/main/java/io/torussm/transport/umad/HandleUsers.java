package io.torussm.transport.umad;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The count of threads that use a handle, so that it is not closed while in use. It is a semaphore, because a
 * lock for readers keeps a map entry per thread, which is too slow for each sent and received SMP. Any
 * thread.
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
     * Rejects new uses and waits for the current ones. Called once.
     *
     * @return false if a use remains at the end of the time, or if the thread is interrupted
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
