package io.torussm.event;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.function.Consumer;

/**
 * The treatment of errors of the virtual machine: out of memory, out of stack, an internal error. They end the process,
 * because the interrupted work may be incomplete.
 */
public final class FatalErrors {
    private FatalErrors() {}

    /**
     * Passes an error of the virtual machine to the {@link UncaughtExceptionHandler} of this thread, which ends the
     * process. Any other exception is ignored. Called in the outermost method of a thread, which would otherwise
     * continue after the error.
     *
     * @param thrown exception that was caught and reported
     */
    public static void escalate(Throwable thrown) {
        if (thrown instanceof VirtualMachineError) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, thrown);
        }
    }

    /**
     * Runs a task of a loop, so that no exception of the task ends the loop. Without memory, the report of an exception
     * may fail, too. Its exception does not end the loop and does not hide an error of the virtual machine.
     *
     * @param onDefect consumer of the exception of the task
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
