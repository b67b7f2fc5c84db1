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
 * The MLIDs of the groups. Each group has its own MLID, except {@link SolicitedNode} groups if they are set
 * to share one. If no MLID is free, groups share where {@link MulticastGroup#mayShareMlid} allows it. Owner
 * thread: that of the groups.
 */
final class Mlids {
    /** No MLID. */
    static final int NONE = 0;

    /** The limit of groups. */
    static final int MAX_GROUPS = 1 << 16;

    private static final EventLog EVENTS = EventLog.of(Mlids.class);

    /** A shortage ends when 1/16 of all MLIDs is free. */
    private static final int ENOUGH = 16;

    private final TreeMap<Integer, Map<Gid, MCMemberRecord>> records = new TreeMap<>();

    /** Entries that another SM left in switches: by MLID, GUIDs of the ports to which they forward. */
    private SortedMap<Integer, Set<Long>> inherited = new TreeMap<>();

    private int groups;
    private boolean isShort;
    private boolean isFullReported;

    /** Returns the MGIDs of all groups, by MLID, ascending; a copy. */
    List<Gid> mgids() {
        List<Gid> all = new ArrayList<>();
        records.values().forEach(sharing -> all.addAll(sharing.keySet()));
        return all;
    }

    /** Assigns the MLID in its record to a group. */
    void give(MCMemberRecord group) {
        groups++;
        records.computeIfAbsent(group.mlid(), free -> new LinkedHashMap<>(2)).put(group.mgid(), group);
    }

    /** Frees the MLID of a group, unless others share it. */
    void takeBack(MCMemberRecord group) {
        groups--;
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

    /** Returns the lowest inherited MLID without a group that forwards to a port; NONE if there is none. */
    int inheritedBy(long portGuid, int capacity) {
        for (Map.Entry<Integer, Set<Long>> each :
                inherited.headMap(MulticastView.FIRST_MLID + capacity).entrySet()) {
            if (!records.containsKey(each.getKey()) && each.getValue().contains(portGuid)) {
                return each.getKey();
            }
        }
        return NONE;
    }

    /** Checks whether the MLID of a record is free, or belongs to groups that may share it with this one. */
    boolean mayHave(MCMemberRecord group) {
        Map<Gid, MCMemberRecord> members = records.get(group.mlid());
        return members == null || MulticastGroup.mayShareMlid(first(members), group);
    }

    /**
     * Returns an MLID for a new group: the requested one if it is free, else a shared one if groups share,
     * else the lowest free one, else the one that the fewest groups share.
     *
     * @param group record with the requested MLID; NONE if none is requested
     * @param capacity MLIDs that all switches support
     * @param isSharing whether groups of solicited-node addresses share one
     * @param isOpen checks whether a group may have to share its MLID
     * @return NONE if there is none, or there are {@link #MAX_GROUPS}
     */
    int forNew(MCMemberRecord group, int capacity, boolean isSharing, Predicate<Gid> isOpen) {
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
        int crowded = amongThose(group, capacity, isOpen);
        if (crowded != NONE && !isShort) {
            isShort = true;
            EVENTS.report(SmEvent.MLIDS_SHARED, EventField.COUNT.of(capacity));
        }
        return crowded;
    }

    /**
     * Returns the MLID that the fewest groups share, among groups that pass the check and may share with this
     * one; NONE if there is none.
     */
    int amongThose(MCMemberRecord group, int capacity, Predicate<Gid> isOpen) {
        return leastShared(
                MulticastView.FIRST_MLID + capacity,
                members -> MulticastGroup.mayShareMlid(first(members), group)
                        && isOpen.test(first(members).mgid()));
    }

    /** Returns the number of MLIDs without a group, out of this capacity. */
    int free(int capacity) {
        return Math.max(
                0,
                capacity - records.headMap(MulticastView.FIRST_MLID + capacity).size());
    }

    /** Returns the number of groups that can still be created. */
    int room() {
        return MAX_GROUPS - groups;
    }

    private boolean isFull() {
        boolean isFull = groups >= MAX_GROUPS;
        if (isFull && !isFullReported) {
            isFullReported = true;
            EVENTS.report(SmEvent.GROUPS_REFUSED, EventField.COUNT.of(MAX_GROUPS));
        }
        return isFull;
    }

    /**
     * Returns the lowest of the MLIDs that the fewest groups share and that pass the check; NONE if there is
     * none.
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
    void look(int capacity) {
        if (isShort && records.size() <= capacity - capacity / ENOUGH && lowestFree(capacity) != NONE) {
            isShort = false;
            EVENTS.report(SmEvent.MLIDS_SUFFICE);
        }
    }

    /**
     * Returns the lowest MLID within this capacity that has neither a group nor inherited entries, or NONE.
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
