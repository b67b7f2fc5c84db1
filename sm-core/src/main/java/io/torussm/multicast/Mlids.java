package io.torussm.multicast;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The assignment of MLIDs to groups. Each group has an MLID of its own, except {@link SolicitedNode} groups if they are
 * configured to share one. If no MLID is free, groups share an MLID if {@link MulticastGroup#mayShareMlid} permits it.
 * Owner thread: the loop.
 */
final class Mlids {
    /** No MLID. */
    static final int NONE = 0;

    /** Max number of groups. */
    static final int MAX_GROUPS = 1 << 16;

    private static final EventLog EVENTS = EventLog.of(Mlids.class);

    /** A shortage ends when one of this many MLIDs is free: 1/16 of the capacity. */
    private static final int SHORTAGE_END_DIVISOR = 16;

    /** Records of the groups, by MLID, then by MGID; only MLIDs with a group. */
    private final TreeMap<Integer, Map<Gid, MCMemberRecord>> records = new TreeMap<>();

    /** Entries that another SM left in switches: PortGUIDs of the ports to which they forward, by MLID. */
    private SortedMap<Integer, Set<Long>> inherited = new TreeMap<>();

    private int groupCount;

    /** Set while a shortage of MLIDs is reported. */
    private boolean isShortageReported;

    private boolean isFullReported;

    /** Returns a copy of the list of MGIDs of all groups, by ascending MLID. */
    List<Gid> mgids() {
        List<Gid> all = new ArrayList<>();
        records.values().forEach(sharing -> all.addAll(sharing.keySet()));
        return all;
    }

    /** Adds a group with the MLID of its record. */
    void add(MCMemberRecord group) {
        groupCount++;
        records.computeIfAbsent(group.mlid(), free -> new LinkedHashMap<>(2)).put(group.mgid(), group);
    }

    /** Removes a group; its MLID is free if no other group shares it. */
    void remove(MCMemberRecord group) {
        groupCount--;
        records.computeIfPresent(group.mlid(), (mlid, sharing) -> {
            sharing.remove(group.mgid());
            return sharing.isEmpty() ? null : sharing;
        });
    }

    /**
     * Reserves MLIDs whose entries another SM left in switches. Such an MLID is assigned only to a group that
     * is created by one of the ports to which its entries forward.
     */
    void inherit(SortedMap<Integer, Set<Long>> ports) {
        inherited = ports;
    }

    /** Returns the argument of the last {@link #inherit}. */
    SortedMap<Integer, Set<Long>> inherited() {
        return inherited;
    }

    /**
     * Returns the lowest inherited MLID without a group whose entries forward to a port; NONE if there is none.
     *
     * @param capacity number of MLIDs that all switches support
     */
    int inheritedBy(long portGuid, int capacity) {
        for (Map.Entry<Integer, Set<Long>> entry :
                inherited.headMap(MulticastView.FIRST_MLID + capacity).entrySet()) {
            if (!records.containsKey(entry.getKey()) && entry.getValue().contains(portGuid)) {
                return entry.getKey();
            }
        }
        return NONE;
    }

    /** Checks whether the MLID of a record is free, or belongs to groups that may share it with that of the record. */
    boolean isAvailable(MCMemberRecord group) {
        Map<Gid, MCMemberRecord> members = records.get(group.mlid());
        return members == null || MulticastGroup.mayShareMlid(first(members), group);
    }

    /**
     * Returns an MLID for a new group, the first that exists of: the requested MLID if it is free; an MLID of alike
     * solicited-node groups if these share; the lowest free MLID; the MLID that the fewest groups share.
     *
     * @param group record with the requested MLID; NONE if no MLID is requested
     * @param capacity number of MLIDs that all switches support
     * @param isSharing whether groups of solicited-node addresses share an MLID
     * @param isOpen checks whether the group with an MGID may be made to share its MLID
     * @return MLID; NONE if there is none, or there are {@link #MAX_GROUPS} groups
     */
    int chooseMlid(MCMemberRecord group, int capacity, boolean isSharing, Predicate<Gid> isOpen) {
        if (isFull()) {
            return NONE;
        }
        int end = MulticastView.FIRST_MLID + capacity;
        boolean isPossible = group.mlid() >= MulticastView.FIRST_MLID && group.mlid() < end;
        if (isPossible && !records.containsKey(group.mlid())) {
            return group.mlid();
        }
        int shared = isSharing
                ? leastShared(
                        end, members -> SolicitedNode.areAlike(first(members).mgid(), group.mgid()))
                : NONE;
        int own = shared == NONE ? lowestFree(capacity) : shared;
        if (own != NONE) {
            return own;
        }
        int crowded = sharedMlid(group, capacity, isOpen);
        if (crowded != NONE && !isShortageReported) {
            isShortageReported = true;
            EVENTS.report(SmEvent.MLIDS_SHARED, EventField.COUNT.of(capacity));
        }
        return crowded;
    }

    /**
     * Returns the MLID that the fewest groups have, among those whose groups pass the check and may share with a group.
     *
     * @param group record of the group
     * @return MLID; NONE if there is none
     */
    int sharedMlid(MCMemberRecord group, int capacity, Predicate<Gid> isOpen) {
        return leastShared(
                MulticastView.FIRST_MLID + capacity,
                members -> MulticastGroup.mayShareMlid(first(members), group)
                        && isOpen.test(first(members).mgid()));
    }

    /** Returns how many of the first {@code capacity} MLIDs have no group. */
    int countFree(int capacity) {
        return Math.max(
                0,
                capacity - records.headMap(MulticastView.FIRST_MLID + capacity).size());
    }

    /** Returns the number of groups that can still be created. */
    int freeGroups() {
        return MAX_GROUPS - groupCount;
    }

    private boolean isFull() {
        boolean isFull = groupCount >= MAX_GROUPS;
        if (isFull && !isFullReported) {
            isFullReported = true;
            EVENTS.report(SmEvent.GROUPS_REFUSED, EventField.COUNT.of(MAX_GROUPS));
        }
        return isFull;
    }

    /**
     * Returns the MLID below {@code end} that passes the check and that the fewest groups have; the lowest of several;
     * NONE if there is none.
     */
    private int leastShared(int end, Predicate<Map<Gid, MCMemberRecord>> isOfKind) {
        int least = NONE;
        int fewest = Integer.MAX_VALUE;
        for (Map.Entry<Integer, Map<Gid, MCMemberRecord>> entry :
                records.headMap(end).entrySet()) {
            int size = entry.getValue().size();
            if (size < fewest && isOfKind.test(entry.getValue())) {
                least = entry.getKey();
                fewest = size;
            }
        }
        return least;
    }

    /** Reports the end of a shortage. */
    void reportShortageEnd(int capacity) {
        if (isShortageReported
                && records.size() <= capacity - capacity / SHORTAGE_END_DIVISOR
                && lowestFree(capacity) != NONE) {
            isShortageReported = false;
            EVENTS.report(SmEvent.MLIDS_SUFFICE);
        }
    }

    /**
     * Returns the lowest of the first {@code capacity} MLIDs that has neither a group nor inherited entries; NONE if
     * there is none.
     */
    int lowestFree(int capacity) {
        int mlid = MulticastView.FIRST_MLID;
        while (records.containsKey(mlid) || inherited.containsKey(mlid)) {
            mlid++;
        }
        return mlid < MulticastView.FIRST_MLID + capacity ? mlid : NONE;
    }

    private static MCMemberRecord first(Map<Gid, MCMemberRecord> sharing) {
        return sharing.values().iterator().next();
    }
}
