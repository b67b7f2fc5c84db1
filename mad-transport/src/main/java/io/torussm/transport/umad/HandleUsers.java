package io.torussm.transport.umad;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The count of threads that use a handle, which prevents that a used handle is closed. The count is a semaphore: a read
 * lock keeps a map entry per thread, which is too slow for each sent and received SMP. Any thread may call it.
 */
final class HandleUsers {
    private final Semaphore uses = new Semaphore(Integer.MAX_VALUE);
    private volatile boolean isClosed;

    /** Begins a use, which {@link #end} ends. Returns false if {@link #close} was called. */
    boolean begin() {
        return !isClosed && uses.tryAcquire();
    }

    void end() {
        uses.release();
    }

    /**
     * Rejects new uses and waits for the current ones. Called once.
     *
     * @param timeoutMs max wait in milliseconds
     * @return false if a use remains after this time, or remains when the thread is interrupted
     */
    boolean close(long timeoutMs) {
        isClosed = true;
        try {
            return uses.tryAcquire(Integer.MAX_VALUE, timeoutMs, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return uses.tryAcquire(Integer.MAX_VALUE);
        }
    }
}
