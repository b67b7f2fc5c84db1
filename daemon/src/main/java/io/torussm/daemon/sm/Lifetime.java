package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.transport.Loop;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an SM from its start to its end. Only the {@code sm} loop starts and ends them. Other threads read them,
 * also after the end.
 */
final class Lifetime {
    private final Loop sm;

    /** The parts between start and end. Confined to the loop. */
    private @Nullable SmAssembly running;

    private volatile @Nullable SmAssembly published;

    /** @param sm the loop that owns the parts */
    Lifetime(Loop sm) {
        this.sm = sm;
    }

    /** Starts the SM; on the loop. */
    void begin(SmAssembly parts) {
        sm.requireInLoop();
        running = parts;
        published = parts;
    }

    /** Ends the SM; on the loop. */
    void end() {
        sm.requireInLoop();
        running = null;
    }

    /** Returns the parts for actions on the SM; null before the start and after the end. On the loop. */
    @Nullable
    SmAssembly running() {
        return running;
    }

    /** Checks whether the SM runs and is idle. On the loop. */
    boolean isIdle() {
        SmAssembly assembly = running;
        return assembly != null && assembly.sweeper().isResting();
    }

    /** Returns the parts for reading; null before the start, and unchanged after the end. Any thread. */
    @Nullable
    SmAssembly published() {
        return published;
    }

    /** Runs an action with the parts on the loop. Does nothing before the start and after the end. Any thread. */
    void execute(Consumer<SmAssembly> action) {
        sm.execute(() -> {
            SmAssembly assembly = running;
            if (assembly != null) {
                action.accept(assembly);
            }
        });
    }
}
