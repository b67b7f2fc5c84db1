package io.torussm.program;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import java.util.concurrent.TimeUnit;

/**
 * The guarantee that LIDs are on the disk before ports receive them. Otherwise an SM that dies in between
 * would find the LID of a disconnected owner free, and assign it to another port.
 *
 * <p>The disk has as much time as the tables take, and nothing to do if no LID is new. If it cannot write, or
 * not in time, ports receive their LIDs anyway.
 *
 * <p>Owner thread: the loop. One use.
 */
public final class LidPersistenceBarrier {
    /** The longest time for which an otherwise idle sweep waits for the disk. */
    public static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final EventLog EVENTS = EventLog.of(LidPersistenceBarrier.class);

    private final Loop loop;
    private Runnable stage = () -> {};
    private boolean isSettled;

    /** Creates a barrier that nothing waits for yet. */
    public LidPersistenceBarrier(Loop loop) {
        this.loop = loop;
    }

    /** Begins to write the LIDs that a sweep is going to assign. */
    public void give(LidStore store, Subnet subnet) {
        store.remember(subnet, isWritten -> loop.execute(this::settle));
    }

    /** Continues once they are on the disk. */
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
