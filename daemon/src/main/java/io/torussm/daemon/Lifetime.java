package io.torussm.daemon;

import io.torussm.daemon.maintenance.Isolator;
import io.torussm.mastership.MastershipDriver;
import io.torussm.paths.PathService;
import io.torussm.perf.PerformanceManager;
import io.torussm.program.AdaptiveRoutingWatch;
import io.torussm.registration.SaDatabase;
import io.torussm.report.EventReporter;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.Sweeper;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts of an SM from its beginning to its end. The {@code sm} loop acts on them until the end; other threads read
 * from them, and may still do so after the end.
 */
final class Lifetime {
    private final Loop sm;

    /** Confined to the loop. */
    private @Nullable Running running;

    private volatile @Nullable Running published;

    /** The parts of an SM that has begun. */
    record Running(
            MadClient client,
            Sweeper sweeper,
            MastershipDriver mastership,
            SubnetAdministrator administrator,
            PathService paths,
            SaDatabase database,
            EventReporter reporter,
            AdaptiveRoutingWatch adaptiveRouting,
            Isolator isolator,
            PerformanceManager counters,
            SignsOfLife signs) {}

    /** @param sm the loop that owns the parts */
    Lifetime(Loop sm) {
        this.sm = sm;
    }

    /** The SM begins; on the loop. */
    void begin(Running parts) {
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
    Running running() {
        return running;
    }

    /** The parts to read from; null before the beginning. Any thread. */
    @Nullable
    Running published() {
        return published;
    }

    /** Acts on the parts on the loop, or does nothing if there are none. Any thread. */
    void execute(Consumer<Running> action) {
        sm.execute(() -> {
            Running now = running;
            if (now != null) {
                action.accept(now);
            }
        });
    }
}
