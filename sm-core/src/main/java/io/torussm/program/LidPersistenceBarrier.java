package io.torussm.program;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import java.util.concurrent.TimeUnit;

/**
 * The guarantee that LIDs are on the disk before ports receive them. Otherwise an SM that restarts in between would
 * assign the LID of a port that is disconnected at that time to another port.
 *
 * <p>The write runs while tables are programmed, and is unnecessary if no LID is new. If the write fails or exceeds the
 * time-out, ports receive their LIDs anyway.
 *
 * <p>Owner thread: the loop. An instance is used once.
 */
public final class LidPersistenceBarrier {
    /** The time-out: the max time for which an otherwise idle sweep waits for the disk. */
    public static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final EventLog EVENTS = EventLog.of(LidPersistenceBarrier.class);

    private final Loop loop;
    private Runnable waitingStage = () -> {};
    private boolean isSettled;

    /** Creates a barrier without a waiting stage. */
    public LidPersistenceBarrier(Loop loop) {
        this.loop = loop;
    }

    /** Begins to write the LIDs that a sweep will assign. */
    public void write(LidStore store, Subnet subnet) {
        store.remember(subnet, isWritten -> loop.execute(this::resumeStage));
    }

    /** Calls {@code next} once, when the LIDs are on the disk, or the write failed, or after the time-out. */
    public void whenWritten(Runnable next) {
        waitingStage = next;
        if (isSettled) {
            waitingStage.run();
        } else {
            loop.schedule(TIMEOUT_NS, this::giveUp);
        }
    }

    private void giveUp() {
        if (!isSettled) {
            EVENTS.report(
                    SmEvent.LIDS_NOT_PERSISTED,
                    EventField.FILE.of(LidStore.FILE.name()),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS)));
            resumeStage();
        }
    }

    private void resumeStage() {
        if (!isSettled) {
            isSettled = true;
            waitingStage.run();
        }
    }
}
