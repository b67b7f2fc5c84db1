package io.torussm.vport;

import io.torussm.transport.Loop;
import io.torussm.vport.condition.UnmanagedPorts;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The timers of ports: for another visit of some, and for the end of the wait for vports that were never read. Owner
 * thread: the loop.
 */
final class VisitTimers {
    /** The time after which a device that did not respond is asked again. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    private final Loop loop;
    private final Consumer<List<Long>> onRetry;
    private final Consumer<Long> onOverdue;

    /** By port that is to be visited again: whether its device did not respond to the last visit. */
    private final Map<Long, Boolean> waiting = new LinkedHashMap<>();

    /** By port whose vports are not all known. */
    private final Map<Long, Loop.Timer> unknownTimers = new HashMap<>();

    private Loop.Timer retry = () -> {};

    /**
     * Creates timers without ports.
     *
     * @param retried takes ports to be visited again
     * @param overdue takes a port that was not all read in time
     */
    VisitTimers(Loop loop, Consumer<List<Long>> retried, Consumer<Long> overdue) {
        this.loop = loop;
        this.onRetry = retried;
        this.onOverdue = overdue;
    }

    /**
     * Handles the begin of a visit: the port waits no longer for it.
     *
     * @param isUnknown whether its vports are not all known; the first such visit begins the time for them
     */
    void begin(long portGuid, boolean isUnknown) {
        waiting.remove(portGuid);
        if (isUnknown) {
            unknownTimers.computeIfAbsent(
                    portGuid, any -> loop.schedule(UnmanagedPorts.MAX_UNKNOWN_NS, () -> onOverdue.accept(portGuid)));
        }
    }

    /** Lets a port wait for another visit. */
    void visitLater(long portGuid, boolean isSilent) {
        if (waiting.isEmpty()) {
            retry.cancel();
            retry = loop.schedule(RETRY_NS, () -> {
                List<Long> all = List.copyOf(waiting.keySet());
                waiting.clear();
                onRetry.accept(all);
            });
        }
        waiting.put(portGuid, isSilent);
    }

    /** Checks whether a port waits since its device did not respond. */
    boolean isSilent(long portGuid) {
        return waiting.getOrDefault(portGuid, false);
    }

    /** Removes a port that is absent. */
    void remove(long portGuid) {
        begin(portGuid, false);
        Loop.Timer timer = unknownTimers.remove(portGuid);
        if (timer != null) {
            timer.cancel();
        }
    }

    void clear() {
        retry.cancel();
        waiting.clear();
        unknownTimers.values().forEach(Loop.Timer::cancel);
        unknownTimers.clear();
    }
}
