package io.torussm.vport;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The arrivals and departures of vports while this SM is master. Each GUID at a port has one entry, so a vport that
 * comes and goes displaces no other. Hosts choose GUIDs: the entries of a port are limited, and those of all ports. The
 * vports of the first visit of a port are no arrivals, and a port that leaves the subnet makes no departures. Any
 * thread.
 */
public final class VPortHistory {
    static final int MAX_ENTRIES = 1024;
    static final int MAX_OF_PORT = 64;

    /** The entry that changed last is at the end. */
    private final Map<Key, Entry> entries = new LinkedHashMap<>();

    /** Number of entries by PortGUID. */
    private final Map<Long, Integer> counts = new HashMap<>();

    /** PortGUIDs of ports whose last reading failed, so that the next one shows no changes. */
    private final Set<Long> unread = new HashSet<>();

    private record Key(long portGuid, long guid) {}

    /**
     * The changes of a vport at a port.
     *
     * @param portGuid GUID of the physical port
     * @param guid GUID of the vport
     * @param index VPortIndex
     * @param isArrival whether the last change was its arrival
     * @param changes number of arrivals and departures
     * @param first time of the first change
     * @param last time of the last change
     */
    public record Entry(
            long portGuid, long guid, int index, boolean isArrival, int changes, Instant first, Instant last) {}

    /** Returns the entries, the one that changed last first. */
    public synchronized List<Entry> entries() {
        List<Entry> all = new ArrayList<>(entries.values());
        Collections.reverse(all);
        return all;
    }

    /** Notes that the vports of a port could not be read, or not in time. */
    synchronized void lose(long portGuid) {
        unread.add(portGuid);
    }

    /**
     * Notes the difference between two readings of the vports of a port.
     *
     * @param isWhole whether no further part of this reading follows
     */
    synchronized void read(
            long portGuid, List<VirtualPort> previous, List<VirtualPort> current, boolean isWhole, Instant at) {
        boolean isComparable = isWhole ? !unread.remove(portGuid) : !unread.contains(portGuid);
        if (!isComparable || previous.equals(current)) {
            return;
        }
        Map<Long, VirtualPort> departed = byGuid(portGuid, previous);
        byGuid(portGuid, current).forEach((guid, vport) -> {
            if (departed.remove(guid) == null) {
                add(portGuid, vport, true, at);
            }
        });
        departed.values().forEach(vport -> add(portGuid, vport, false, at));
    }

    private static Map<Long, VirtualPort> byGuid(long portGuid, List<VirtualPort> vports) {
        Map<Long, VirtualPort> all = new LinkedHashMap<>();
        vports.stream()
                .filter(vport -> vport.index() != 0 && vport.guid() != portGuid)
                .forEach(vport -> all.put(vport.guid(), vport));
        return all;
    }

    private void add(long portGuid, VirtualPort vport, boolean isArrival, Instant at) {
        Key key = new Key(portGuid, vport.guid());
        Entry known = entries.remove(key);
        if (known == null && counts.merge(portGuid, 1, Integer::sum) > MAX_OF_PORT) {
            removeOldest(portGuid);
        }
        int changes = known == null ? 1 : known.changes() + 1;
        Instant first = known == null ? at : known.first();
        entries.put(key, new Entry(portGuid, vport.guid(), vport.index(), isArrival, changes, first, at));
        if (entries.size() > MAX_ENTRIES) {
            removeOldest(entries.keySet().iterator().next().portGuid());
        }
    }

    private void removeOldest(long portGuid) {
        for (Iterator<Key> keys = entries.keySet().iterator(); keys.hasNext(); ) {
            if (keys.next().portGuid() == portGuid) {
                keys.remove();
                counts.computeIfPresent(portGuid, (guid, count) -> count == 1 ? null : count - 1);
                return;
            }
        }
    }

    /** Forgets a failed reading: the port leaves the subnet, or its vports were read for the first time. */
    synchronized void remove(long portGuid) {
        unread.remove(portGuid);
    }

    /** Forgets all entries: another SM is master. */
    synchronized void clear() {
        unread.clear();
        entries.clear();
        counts.clear();
    }
}
