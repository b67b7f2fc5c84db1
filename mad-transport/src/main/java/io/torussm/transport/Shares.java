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
 * How many things of a kind each port has that asked for them, and each partition: neither gets more than stay free for all
 * others, so that one cannot take all, and the next can take but half of what the first left. Only the default partition, in
 * which all are, has no share as a whole. Owner thread: as its owner's.
 */
public final class Shares {
    /** Whose things do not count, neither for a port nor for a partition. */
    public static final long NOBODY = 0;

    /** P_Key of things that belong to no partition. */
    public static final int NO_PARTITION = 0;

    private static final int PARTITION = 0x7fff;
    private static final EventLog EVENTS = EventLog.of(Shares.class);

    private final String kind;
    private final int perPort;
    private final Map<Long, Integer> ofPorts = new HashMap<>();
    private final Map<Integer, Integer> ofPartitions = new HashMap<>();
    private final Set<Long> reported = new HashSet<>();
    private final Set<Integer> reportedPartitions = new HashSet<>();

    /**
     * Nobody has any.
     *
     * @param kind plural, for the log
     * @param perPort what one port may have at most, however many are free
     */
    public Shares(String kind, int perPort) {
        this.kind = kind;
        this.perPort = perPort;
    }

    /**
     * Whether a port may have one more; logged, once for each port and partition, if a share forbids it.
     *
     * @param port port GUID, or {@link #NOBODY}
     * @param pKey P_Key of what is asked for, or {@link #NO_PARTITION}
     * @param free how many there are that nobody has
     */
    public boolean hasRoom(long port, int pKey, int free) {
        return free > 0 && (port == NOBODY || portHasRoom(port, free) && partitionHasRoom(pKey & PARTITION, free));
    }

    private boolean portHasRoom(long port, int free) {
        int has = ofPorts.getOrDefault(port, 0);
        boolean hasRoom = has < Math.min(perPort, free);
        if (!hasRoom && reported.add(port)) {
            EVENTS.report(
                    SmEvent.SHARE_EXHAUSTED,
                    EventField.GUID.of(Guid.format(port)),
                    EventField.COUNT.of(has),
                    EventField.TEXT.of(kind));
        }
        return hasRoom;
    }

    private boolean partitionHasRoom(int partition, int free) {
        int has = ofPartitions.getOrDefault(partition, 0);
        boolean hasRoom = has < free;
        if (!hasRoom && reportedPartitions.add(partition)) {
            EVENTS.report(
                    SmEvent.PARTITION_SHARE_EXHAUSTED,
                    EventField.KEY.of(String.format("0x%04x", partition)),
                    EventField.COUNT.of(has),
                    EventField.TEXT.of(kind));
        }
        return hasRoom;
    }

    /** Whether things with a P_Key count for their partition as well. */
    public static boolean isBounded(int pKey) {
        int partition = pKey & PARTITION;
        return partition != NO_PARTITION && partition != PARTITION;
    }

    /** Counts what a port got, or with -1 gave back; the P_Key as in {@link #hasRoom}. */
    public void count(long port, int pKey, int change) {
        if (port != NOBODY) {
            count(ofPorts, port, change);
            if (isBounded(pKey)) {
                count(ofPartitions, pKey & PARTITION, change);
            }
        }
    }

    private static <K> void count(Map<K, Integer> counts, K holder, int change) {
        counts.merge(holder, change, (before, more) -> before + more == 0 ? null : before + more);
    }

    /** Nobody has any, and nothing was reported. */
    public void clear() {
        ofPorts.clear();
        ofPartitions.clear();
        reported.clear();
        reportedPartitions.clear();
    }
}
