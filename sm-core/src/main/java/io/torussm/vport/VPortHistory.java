package io.torussm.vport;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    /** By PortGUID: the time from which on all arrivals and departures are known, none of them displaced. */
    private final Map<Long, Instant> completeFrom = new HashMap<>();

    private record Key(long portGuid, long guid) {}

    /**
     * A vport that a port had at a past moment.
     *
     * @param index VPortIndex at its last change
     * @param isCertain false if it came and went more than once around that moment
     * @param name last description; empty if none is known
     */
    public record PastVPort(int index, long guid, boolean isCertain, String name) {}

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
     * @param name description before it went last; empty if none is known
     */
    public record Entry(
            long portGuid,
            long guid,
            int index,
            boolean isArrival,
            int changes,
            Instant first,
            Instant last,
            String name) {
        Entry withName(String other) {
            return new Entry(portGuid, guid, index, isArrival, changes, first, last, other);
        }

        /** Checks whether the port had the vport at a moment, or may have had it. */
        private boolean mayBeThere(Instant at) {
            boolean isFirstArrival = isArrival == (changes % 2 == 1);
            return at.isBefore(first) ? !isFirstArrival : at.isBefore(last) ? changes > 2 || !isArrival : isArrival;
        }

        private boolean isCertain(Instant at) {
            return changes <= 2 || at.isBefore(first) || !at.isBefore(last);
        }
    }

    /** Returns the entries, the one that changed last first. */
    public synchronized List<Entry> entries() {
        List<Entry> all = new ArrayList<>(entries.values());
        Collections.reverse(all);
        return all;
    }

    /**
     * Returns the vports of a port at a past moment, by index, without that of its physical function; null if they are
     * not known.
     *
     * @param current present vports of the port
     */
    public synchronized @Nullable List<PastVPort> at(long portGuid, List<VirtualPort> current, Instant at) {
        Instant from = completeFrom.get(portGuid);
        if (from == null || at.isBefore(from)) {
            return null;
        }
        List<PastVPort> past = new ArrayList<>();
        Map<Long, VirtualPort> unchanged = byGuid(portGuid, current);
        for (Entry entry : entries.values()) {
            // Later changes of an earlier entry are unknown.
            if (entry.portGuid() == portGuid && !entry.last().isBefore(from)) {
                VirtualPort present = unchanged.remove(entry.guid());
                if (entry.mayBeThere(at)) {
                    String name = present == null || present.name().isEmpty() ? entry.name() : present.name();
                    past.add(new PastVPort(entry.index(), entry.guid(), entry.isCertain(at), name));
                }
            }
        }
        unchanged.forEach((guid, vport) -> past.add(new PastVPort(vport.index(), guid, true, vport.name())));
        past.sort(Comparator.comparingInt(PastVPort::index));
        return past;
    }

    /** Returns the description that a vport had before it went from a port; empty if none is known. */
    synchronized String lastName(long portGuid, long guid) {
        Entry entry = entries.get(new Key(portGuid, guid));
        return entry == null ? "" : entry.name();
    }

    /** Notes that the vports of a port could not be read, or not in time. */
    synchronized void onReadFailure(long portGuid) {
        unread.add(portGuid);
        completeFrom.remove(portGuid);
    }

    /** Checks whether the last reading of the vports of a port failed. */
    synchronized boolean isUnread(long portGuid) {
        return unread.contains(portGuid);
    }

    /**
     * Notes the difference between two readings of the vports of a port.
     *
     * @param isWhole whether no further part of this reading follows
     */
    synchronized void update(
            long portGuid, List<VirtualPort> previous, List<VirtualPort> current, boolean isWhole, Instant at) {
        boolean isComparable = isWhole ? !unread.remove(portGuid) : !unread.contains(portGuid);
        if (isWhole) {
            completeFrom.putIfAbsent(portGuid, at);
        }
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
        vports.stream().filter(vport -> !vport.isPhysical(portGuid)).forEach(vport -> all.put(vport.guid(), vport));
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
        String name = known == null || !vport.name().isEmpty() ? vport.name() : known.name();
        entries.put(key, new Entry(portGuid, vport.guid(), vport.index(), isArrival, changes, first, at, name));
        if (entries.size() > MAX_ENTRIES) {
            removeOldest(entries.keySet().iterator().next().portGuid());
        }
    }

    private void removeOldest(long portGuid) {
        for (Iterator<Entry> eldest = entries.values().iterator(); eldest.hasNext(); ) {
            Entry entry = eldest.next();
            if (entry.portGuid() == portGuid) {
                eldest.remove();
                completeFrom.computeIfPresent(
                        portGuid, (guid, from) -> from.isBefore(entry.last()) ? entry.last() : from);
                counts.computeIfPresent(portGuid, (guid, count) -> count == 1 ? null : count - 1);
                return;
            }
        }
    }

    /** Notes that the vports of a port were read for the first time. */
    synchronized void begin(long portGuid, Instant at) {
        unread.remove(portGuid);
        completeFrom.put(portGuid, at);
    }

    /** Handles a port that leaves the subnet. */
    synchronized void remove(long portGuid) {
        unread.remove(portGuid);
        completeFrom.remove(portGuid);
    }

    /** Forgets all entries: another SM is master. */
    synchronized void clear() {
        unread.clear();
        completeFrom.clear();
        entries.clear();
        counts.clear();
    }
}
