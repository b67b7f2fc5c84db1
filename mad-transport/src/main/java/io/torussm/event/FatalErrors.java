package io.torussm.event;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.function.Consumer;

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

    /**
     * Runs a task of a loop, which no task ends. Without memory the report of what it threw may fail as well; what that throws ends no
     * loop either, and hides no error of the virtual machine.
     *
     * @param onDefect hears what the task threw
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
