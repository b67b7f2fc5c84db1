package io.torussm.stage;

import io.torussm.event.FatalErrors;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadScope;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The context that the stages of one sweep share. Confined to the loop, except for {@link #resume} and
 * {@link #abandon}.
 */
public interface StageContext {
    /**
     * Opens a scope for SMPs, which is closed when the sweep ends. A defect in a continuation of the scope abandons the
     * sweep.
     */
    MadScope scope();

    /** Returns the loop of the SM. */
    Loop loop();

    /** Returns the state that is stored over sweeps: LIDs, M_Keys, cables. */
    SubnetMemory memory();

    /** Returns the errors of devices in this sweep so far. */
    ProgrammingErrors errors();

    /** Continues on the loop after work on another thread, unless the sweep has ended. Any thread. */
    void resume(Runnable next);

    /** Abandons the sweep after a defect in work on another thread. Any thread. */
    void abandon(Throwable defect);

    /**
     * Runs work on a pool, and continues with its result on the loop. A defect of the work abandons the sweep.
     *
     * @param pool executor of the work
     * @param work computation that does not access any state of the loop
     * @param then continuation, called on the loop
     */
    default <T> void compute(Executor pool, Supplier<T> work, Consumer<? super T> then) {
        pool.execute(() -> {
            try {
                T result = work.get();
                resume(() -> then.accept(result));
            } catch (RuntimeException | Error defect) {
                abandon(defect);
                FatalErrors.escalate(defect);
            }
        });
    }
}
