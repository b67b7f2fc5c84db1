package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.transport.Loop;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts of an SM from begin to end. Only the {@code sm} loop changes them; others read, also after the end. */
final class Lifetime {
    private final Loop sm;

    /** Confined to the loop. */
    private @Nullable SmAssembly running;

    private volatile @Nullable SmAssembly published;

    /** @param sm the loop that owns the parts */
    Lifetime(Loop sm) {
        this.sm = sm;
    }

    /** The SM begins; on the loop. */
    void begin(SmAssembly parts) {
        sm.check();
        running = parts;
        published = parts;
    }

    /** The SM ends; on the loop. */
    void end() {
        sm.check();
        running = null;
    }

    /** The parts to act on; null before the beginning and after the end. On the loop. */
    @Nullable
    SmAssembly running() {
        return running;
    }

    /** Whether the SM runs, and has nothing to do. On the loop. */
    boolean isResting() {
        SmAssembly now = running;
        return now != null && now.sweeper().isResting();
    }

    /** The parts to read from; null before the beginning. Any thread. */
    @Nullable
    SmAssembly published() {
        return published;
    }

    /** Acts on the parts on the loop, or does nothing if there are none. Any thread. */
    void execute(Consumer<SmAssembly> action) {
        sm.execute(() -> {
            SmAssembly now = running;
            if (now != null) {
                action.accept(now);
            }
        });
    }
}
