package io.torussm.program;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import java.util.concurrent.TimeUnit;

/**
 * Keeps LIDs from ports before these are on the disk. An SM that dies in between would find a LID free
 * whose owner is cut off, and give it to somebody else.
 *
 * <p>The disk has the time that tables take, and nothing to do if no LID is new. One that cannot write, or not in time,
 * does not keep the fabric down: ports get them all the same.
 *
 * <p>Owner thread: the loop. One use.
 */
public final class LidPersistenceBarrier {
    /** How long the disk may keep a sweep waiting that has nothing else to do. */
    public static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final EventLog EVENTS = EventLog.of(LidPersistenceBarrier.class);

    private final Loop loop;
    private Runnable stage = () -> {};
    private boolean isSettled;

    public LidPersistenceBarrier(Loop loop) {
        this.loop = loop;
    }

    /** The LIDs that a sweep is going to give; the disk may begin. */
    public void give(LidStore store, Subnet subnet) {
        store.remember(subnet, isWritten -> loop.execute(this::settle));
    }

    /** Goes on once they are on the disk. */
    public void whenKept(Runnable next) {
        stage = next;
        if (isSettled) {
            stage.run();
        } else {
            loop.schedule(PATIENCE_NS, this::giveUp);
        }
    }

    private void giveUp() {
        if (!isSettled) {
            EVENTS.report(
                    SmEvent.LIDS_NOT_PERSISTED,
                    EventField.FILE.of(LidStore.FILE.name()),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NS)));
            settle();
        }
    }

    private void settle() {
        if (!isSettled) {
            isSettled = true;
            stage.run();
        }
    }
}
