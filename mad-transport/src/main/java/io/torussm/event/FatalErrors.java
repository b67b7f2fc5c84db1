package io.torussm.event;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.function.Consumer;

/**
 * Errors of the virtual machine: out of memory, out of stack, an internal error. The interrupted work may be
 * incomplete.
 */
public final class FatalErrors {
    private FatalErrors() {}

    /**
     * Passes such an error to the {@link UncaughtExceptionHandler} of this thread, which ends the process. Does
     * nothing for any other exception. For the outermost call of a thread, which would otherwise continue after the
     * error.
     *
     * @param thrown caught and reported before
     */
    public static void escalate(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }

    /**
     * Runs a task of a loop so that no exception of the task ends the loop. Without memory the report of an exception
     * may fail, too. Its exception does not end the loop and does not hide an error of the virtual machine.
     *
     * @param onDefect receives the exception of the task
     */
    public static void guard(Runnable task, Consumer<Throwable> onDefect) {
        try {
            task.run();
        } catch (RuntimeException | Error defect) {
            report(defect, onDefect);
        }
    }

    private static void report(Throwable defect, Consumer<Throwable> onDefect) {
        try {
            onDefect.accept(defect);
        } catch (RuntimeException | Error another) {
            escalate(another);
        } finally {
            escalate(defect);
        }
    }
}
