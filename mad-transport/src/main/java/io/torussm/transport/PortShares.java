package io.torussm.transport;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Guid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How many things of a kind each port has that asked for them: no port gets more than stay free for all others, so that one
 * cannot take all, and the next can take but half of what the first left. Owner thread: as its owner's.
 */
public final class PortShares {
    /** Whose things do not count. */
    public static final long NOBODY = 0;

    private static final EventLog EVENTS = EventLog.of(PortShares.class);

    private final String kind;
    private final int perPort;
    private final Map<Long, Integer> counts = new HashMap<>();
    private final Set<Long> reported = new HashSet<>();

    /**
     * Nobody has any.
     *
     * @param kind plural, for the log
     * @param perPort what one port may have at most, however many are free
     */
    public PortShares(String kind, int perPort) {
        this.kind = kind;
        this.perPort = perPort;
    }

    /**
     * Whether a port may have one more; logged, once for each port, if its share forbids it.
     *
     * @param port port GUID, or {@link #NOBODY}
     * @param free how many there are that nobody has
     */
    public boolean hasRoom(long port, int free) {
        int has = counts.getOrDefault(port, 0);
        boolean isMine = port == NOBODY || has < Math.min(perPort, free);
        if (!isMine && has > 0 && reported.add(port)) {
            EVENTS.report(
                    SmEvent.SHARE_EXHAUSTED,
                    EventField.GUID.of(Guid.format(port)),
                    EventField.COUNT.of(has),
                    EventField.TEXT.of(kind));
        }
        return isMine && free > 0;
    }

    /** Counts what a port got, or with -1 gave back. */
    public void count(long port, int change) {
        if (port != NOBODY) {
            counts.merge(port, change, (before, more) -> before + more == 0 ? null : before + more);
        }
    }

    /** Nobody has any, and nothing was reported. */
    public void clear() {
        counts.clear();
        reported.clear();
    }
}
