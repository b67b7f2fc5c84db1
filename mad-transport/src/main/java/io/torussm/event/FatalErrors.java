package io.torussm.event;

import java.lang.Thread.UncaughtExceptionHandler;

/** Errors of the virtual machine: out of memory, out of stack, a fault of its own. What was under way may be half done. */
public final class FatalErrors {
    private FatalErrors() {}

    /**
     * Hands such an error to the {@link UncaughtExceptionHandler} of this thread, by which the process ends; does nothing with
     * any other. For the edge of a thread, which would otherwise go on as if nothing had happened.
     *
     * @param thrown that was caught, and reported
     */
    public static void escalate(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }
}
