package io.torussm.mastership;

import io.torussm.transport.Loop;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/** The timers of a mastership, at most one of each purpose. Owner thread: the loop. */
final class MastershipTimers {
    /** The max wait for ACKNOWLEDGE of a successor that accepted HANDOVER. */
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
     * Creates timers, none of which is active.
     *
     * @param pollMs returns the milliseconds between two polls of the master; called at each start
     * @param silentMasterWait returns the seconds to wait for silent SMs; called at each start
     * @param then callback, called when a timer expires
     */
    MastershipTimers(Loop loop, IntSupplier pollMs, IntSupplier silentMasterWait, Consumer<MastershipTimer> then) {
        this.loop = loop;
        this.pollMs = pollMs;
        this.silentMasterWait = silentMasterWait;
        this.then = then;
    }

    /** Starts a timer, or restarts it. */
    void start(MastershipTimer timer) {
        stop(timer);
        running.put(timer, loop.schedule(durationNs(timer), () -> {
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

    private long durationNs(MastershipTimer timer) {
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
