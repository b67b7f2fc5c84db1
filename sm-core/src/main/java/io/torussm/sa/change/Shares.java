package io.torussm.sa.change;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Guid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * The number of objects of one kind per requesting port and per partition. Each port and partition may have at most
 * as many objects as remain free for all others. So one port can take at most half of all objects, and the next port
 * half of the remainder. The default partition, which contains all ports, has no limit. Not thread-safe.
 */
public final class Shares {
    /** The port GUID of objects without an owner, which do not count for a port or a partition. */
    public static final long NOBODY = 0;

    /** P_Key of objects that belong to no partition. */
    public static final int NO_PARTITION = 0;

    /** The bits of a P_Key without the membership bit; also the default partition. */
    private static final int PARTITION_MASK = 0x7fff;

    private static final EventLog EVENTS = EventLog.of(Shares.class);

    private final String kind;
    private final int maxPerPort;
    private final Holders<Long> ports = new Holders<>();
    private final Holders<Integer> partitions = new Holders<>();

    /** The count of each holder, and the holders with a reported refusal. */
    private static final class Holders<K> {
        private final Map<K, Integer> counts = new HashMap<>();
        private final Set<K> reported = new HashSet<>();

        /** Checks whether the count of a holder is below the maximum. If not, reports the count once. */
        boolean hasRoom(K holder, int max, IntConsumer report) {
            int count = counts.getOrDefault(holder, 0);
            if (count >= max && reported.add(holder)) {
                report.accept(count);
            }
            return count < max;
        }

        void count(K holder, int change) {
            counts.merge(holder, change, (previous, addition) -> previous + addition == 0 ? null : previous + addition);
        }

        void clear() {
            counts.clear();
            reported.clear();
        }
    }

    /**
     * Creates empty counts.
     *
     * @param kind plural noun for the kind of object in the log
     * @param perPort max number of objects per port, even if more are free
     */
    public Shares(String kind, int perPort) {
        this.kind = kind;
        this.maxPerPort = perPort;
    }

    /**
     * Checks whether a port may have one more object. The first refusal of each port and partition is logged.
     *
     * @param port PortGUID; {@link #NOBODY} for an object without an owner
     * @param pKey P_Key of the object, or {@link #NO_PARTITION}
     * @param free number of objects that are still free
     */
    public boolean hasRoom(long port, int pKey, int free) {
        return free > 0
                && (port == NOBODY || (portHasRoom(port, free) && partitionHasRoom(pKey & PARTITION_MASK, free)));
    }

    private boolean portHasRoom(long port, int free) {
        return ports.hasRoom(
                port,
                Math.min(maxPerPort, free),
                has -> EVENTS.report(
                        SmEvent.SHARE_EXHAUSTED,
                        EventField.GUID.of(Guid.format(port)),
                        EventField.COUNT.of(has),
                        EventField.TEXT.of(kind)));
    }

    private boolean partitionHasRoom(int partition, int free) {
        return partitions.hasRoom(
                partition,
                free,
                has -> EVENTS.report(
                        SmEvent.PARTITION_SHARE_EXHAUSTED,
                        EventField.KEY.of(String.format("0x%04x", partition)),
                        EventField.COUNT.of(has),
                        EventField.TEXT.of(kind)));
    }

    /** Checks whether objects with a P_Key count for its partition: not the default partition, or none. */
    public static boolean isBounded(int pKey) {
        int partition = pKey & PARTITION_MASK;
        return partition != NO_PARTITION && partition != PARTITION_MASK;
    }

    /**
     * Changes the counts of a port and a partition.
     *
     * @param port PortGUID; {@link #NOBODY} for objects without an owner
     * @param pKey P_Key of the objects, or {@link #NO_PARTITION}
     * @param change number of added objects; negative if objects were released
     */
    public void count(long port, int pKey, int change) {
        if (port != NOBODY) {
            ports.count(port, change);
            if (isBounded(pKey)) {
                partitions.count(pKey & PARTITION_MASK, change);
            }
        }
    }

    /** Resets all counts and reports. */
    public void clear() {
        ports.clear();
        partitions.clear();
    }
}
