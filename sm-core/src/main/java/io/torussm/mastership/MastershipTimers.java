package io.torussm.mastership;

import io.torussm.transport.Loop;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The timers of a mastership, each running once at most. Owner thread: the loop. */
final class MastershipTimers {
    /** How long a successor that accepted has for its ACKNOWLEDGE. */
    private static final long ACKNOWLEDGE_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long EXCLUSION_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long END_NS = TimeUnit.MILLISECONDS.toNanos(2500);

    private final Loop loop;
    private final IntSupplier pollMs;
    private final IntSupplier silentMasterWait;
    private final Consumer<MastershipTimer> then;
    private final Map<MastershipTimer, Loop.Timer> running = new EnumMap<>(MastershipTimer.class);

    /**
     * None runs.
     *
     * @param pollMs milliseconds between two polls of the master, asked each time
     * @param silentMasterWait seconds of patience with silent SMs, asked each time
     * @param then called when a timer runs out
     */
    MastershipTimers(Loop loop, IntSupplier pollMs, IntSupplier silentMasterWait, Consumer<MastershipTimer> then) {
        this.loop = loop;
        this.pollMs = pollMs;
        this.silentMasterWait = silentMasterWait;
        this.then = then;
    }

    /** Starts a timer, from the beginning if it runs. */
    void start(MastershipTimer timer) {
        stop(timer);
        running.put(timer, loop.schedule(lengthNs(timer), () -> {
            running.remove(timer);
            then.accept(timer);
        }));
    }

    void stop(MastershipTimer timer) {
        Loop.Timer stopped = running.remove(timer);
        if (stopped != null) {
            stopped.cancel();
        }
    }

    private long lengthNs(MastershipTimer timer) {
        return switch (timer) {
            case POLL -> TimeUnit.MILLISECONDS.toNanos(pollMs.getAsInt());
            case ACKNOWLEDGE -> ACKNOWLEDGE_NS;
            case RETRY -> RETRY_NS;
            case EXCLUSION -> EXCLUSION_NS;
            case SILENCE -> TimeUnit.SECONDS.toNanos(silentMasterWait.getAsInt());
            case END -> END_NS;
        };
    }
}
