package io.torussm.daemon.replica;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.Loop;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The delay of an operation until the peers have reported their states, or until a time-out. Owner thread: {@code sm}.
 */
final class PeerWait {
    private static final EventLog EVENTS = EventLog.of(PeerWait.class);

    private final Loop sm;

    /** Supplier of the names of the connected peers, for the log. */
    private final Supplier<String> connectedPeers;

    /** Delayed operation; null for none. */
    private @Nullable Waiting waiting;

    /** Time on the clock of the loop at which the delay ends; read by any thread. */
    private volatile long untilNs;

    /** True while an operation is delayed; read by any thread. */
    private volatile boolean isWaiting;

    /**
     * A delayed operation.
     *
     * @param isOver condition for the end of the delay
     * @param sinceNs time on the clock of the loop at which the delay began
     * @param then the operation
     * @param limit timer of the time-out
     */
    private record Waiting(BooleanSupplier isOver, long sinceNs, Runnable then, Loop.Timer limit) {}

    /** @param present supplier of the names of the connected peers, for the log */
    PeerWait(Loop sm, Supplier<String> present) {
        this.sm = sm;
        this.connectedPeers = present;
    }

    /**
     * Delays an operation, or runs it immediately if the condition is already true. The operation replaces one that is
     * still delayed, which never runs.
     *
     * @param isOver condition for the end of the delay
     * @param purpose description of the operation for the log, such as "begins"
     * @param limitNs time-out; 0 to run the operation immediately
     * @param then the operation
     */
    void until(BooleanSupplier isOver, String purpose, long limitNs, Runnable then) {
        sm.requireInLoop();
        finish();
        if (limitNs == 0 || isOver.getAsBoolean()) {
            then.run();
            return;
        }
        EVENTS.report(
                SmEvent.PEERS_AWAITED,
                EventField.ACTION.of(purpose),
                EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(limitNs)),
                EventField.TEXT.of(connectedPeers.get()));
        untilNs = sm.nowNs() + limitNs;
        isWaiting = true;
        waiting = new Waiting(isOver, sm.nowNs(), then, sm.schedule(limitNs, this::timeOut));
    }

    /** Runs the delayed operation if its condition is true; called after each message. */
    void check() {
        Waiting current = waiting;
        if (current != null && current.isOver().getAsBoolean()) {
            EVENTS.report(
                    SmEvent.PEERS_HEARD,
                    EventField.MILLISECONDS.of(TimeUnit.NANOSECONDS.toMillis(sm.nowNs() - current.sinceNs())));
            finish();
            current.then().run();
        }
    }

    private void timeOut() {
        Waiting current = waiting;
        if (current != null) {
            EVENTS.report(
                    SmEvent.PEERS_NOT_HEARD,
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(sm.nowNs() - current.sinceNs())),
                    EventField.TEXT.of(connectedPeers.get()));
            finish();
            current.then().run();
        }
    }

    private void finish() {
        if (waiting != null) {
            waiting.limit().cancel();
        }
        waiting = null;
        isWaiting = false;
    }

    /** Returns the time in ns until the time-out of the delayed operation; 0 for none. Thread-safe. */
    long remainingNs() {
        return isWaiting ? Math.max(1, untilNs - sm.nowNs()) : 0;
    }
}
