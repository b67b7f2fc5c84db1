package io.torussm.stage;

import io.torussm.event.FatalErrors;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadScope;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What the stages of one sweep share. Confined to the loop, except for {@link #resume} and {@link #failed}. */
public interface StageContext {
    /** Opens a scope for SMPs; it is closed when the sweep ends, and a defect in one of its continuations abandons the sweep. */
    MadScope scope();

    Loop loop();

    /** Addresses, keys and whatever else outlives the process. */
    SubnetMemory memory();

    /** What went wrong with the devices in this sweep so far. */
    ProgrammingErrors errors();

    /** Goes on, on the loop, unless the sweep is over by then; for work that was done elsewhere. From any thread. */
    void resume(Runnable next);

    /** Work that was done elsewhere broke off because of a defect: the sweep is abandoned. From any thread. */
    void failed(Throwable defect);

    /**
     * Does work elsewhere and goes on with its result, on the loop; a defect in it abandons the sweep.
     *
     * @param work that touches nothing that the loop owns
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
