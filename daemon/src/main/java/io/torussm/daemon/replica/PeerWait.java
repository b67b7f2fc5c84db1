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
 * The delay of an operation until peers have reported their state, or until a time-out. Owner thread: the
 * loop of the SM.
 */
final class PeerWait {
    private static final EventLog EVENTS = EventLog.of(PeerWait.class);

    private final Loop sm;
    private final Supplier<String> present;
    private @Nullable Waiting waiting;

    /** The time-out; for any thread, like the next field. */
    private volatile long untilNs;

    private volatile boolean isOn;

    /** A delayed operation. */
    private record Waiting(BooleanSupplier isOver, long sinceNs, Runnable then, Loop.Timer limit) {}

    /** @param present names the peers that are there, for the log */
    PeerWait(Loop sm, Supplier<String> present) {
        this.sm = sm;
        this.present = present;
    }

    /**
     * Delays an operation, or runs it immediately if there is no need to wait. An operation that still waits
     * is dropped.
     *
     * @param purpose name of the operation for the log: "begins", for example
     * @param limitNs time-out; 0 not to wait
     */
    void until(BooleanSupplier isOver, String purpose, long limitNs, Runnable then) {
        sm.check();
        finish();
        if (limitNs == 0 || isOver.getAsBoolean()) {
            then.run();
            return;
        }
        EVENTS.report(
                SmEvent.PEERS_AWAITED,
                EventField.ACTION.of(purpose),
                EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(limitNs)),
                EventField.TEXT.of(present.get()));
        untilNs = sm.nowNs() + limitNs;
        isOn = true;
        waiting = new Waiting(isOver, sm.nowNs(), then, sm.schedule(limitNs, this::giveUp));
    }

    /** Checks the condition after a message. */
    void look() {
        Waiting current = waiting;
        if (current != null && current.isOver().getAsBoolean()) {
            EVENTS.report(
                    SmEvent.PEERS_HEARD,
                    EventField.MILLISECONDS.of(TimeUnit.NANOSECONDS.toMillis(sm.nowNs() - current.sinceNs())));
            finish();
            current.then().run();
        }
    }

    private void giveUp() {
        Waiting current = waiting;
        if (current != null) {
            EVENTS.report(
                    SmEvent.PEERS_NOT_HEARD,
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(sm.nowNs() - current.sinceNs())),
                    EventField.TEXT.of(present.get()));
            finish();
            current.then().run();
        }
    }

    private void finish() {
        if (waiting != null) {
            waiting.limit().cancel();
        }
        waiting = null;
        isOn = false;
    }

    /** Returns the nanoseconds until the time-out of a delayed operation, 0 if there is none; from any thread. */
    long leftNs() {
        return isOn ? Math.max(1, untilNs - sm.nowNs()) : 0;
    }
}
