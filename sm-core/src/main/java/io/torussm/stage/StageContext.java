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
 * {@link #failed}.
 */
public interface StageContext {
    /**
     * Opens a scope for SMPs; it is closed when the sweep ends, and a defect in one of its continuations abandons the
     * sweep.
     */
    MadScope scope();

    Loop loop();

    /** Returns the memory of addresses and keys that survives the process. */
    SubnetMemory memory();

    /** Returns the errors of devices in this sweep so far. */
    ProgrammingErrors errors();

    /** Continues on the loop after work elsewhere, unless the sweep has ended. Any thread. */
    void resume(Runnable next);

    /** Abandons the sweep after a defect in work elsewhere. Any thread. */
    void failed(Throwable defect);

    /**
     * Does work elsewhere and continues with its result on the loop; a defect in it abandons the sweep.
     *
     * @param work does not access any state of the loop
     */
    default <T> void compute(Executor pool, Supplier<T> work, Consumer<? super T> then) {
        pool.execute(() -> {
            try {
                T result = work.get();
                resume(() -> then.accept(result));
            } catch (RuntimeException | Error defect) {
                failed(defect);
                FatalErrors.escalate(defect);
            }
        });
    }
}
