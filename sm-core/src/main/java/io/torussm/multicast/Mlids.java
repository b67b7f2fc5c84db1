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
 * Which MLID which groups have. Each has one of its own, unless it is to share that of other {@link SolicitedNode} groups; but
 * when there is none left, groups share where {@link MulticastGroup#mayShareMlid} allows it. Owner thread: as its owner's.
 */
final class Mlids {
    /** No MLID. */
    static final int NONE = 0;

    /** Groups that there may be. */
    static final int MAX_GROUPS = 1 << 16;

    private static final EventLog EVENTS = EventLog.of(Mlids.class);

    /** The part of all MLIDs that is free again when a shortage is over. */
    private static final int ENOUGH = 16;

    private final TreeMap<Integer, Map<Gid, MCMemberRecord>> records = new TreeMap<>();

    /** By MLID that switches hold entries of, the ports that these lead to. */
    private SortedMap<Integer, Set<Long>> inherited = new TreeMap<>();

    private int groups;
    private boolean isShort;
    private boolean isFullReported;

    /** MGIDs of all groups, by MLID, ascending; a copy. */
    List<Gid> mgids() {
        List<Gid> all = new ArrayList<>();
        records.values().forEach(sharing -> all.addAll(sharing.keySet()));
        return all;
    }

    /** Gives a group the MLID of its record. */
    void give(MCMemberRecord group) {
        groups++;
        records.computeIfAbsent(group.mlid(), free -> new LinkedHashMap<>(2)).put(group.mgid(), group);
    }

    /** Takes it back. */
    void takeBack(MCMemberRecord group) {
        groups--;
        records.computeIfPresent(group.mlid(), (taken, sharing) -> {
            sharing.remove(group.mgid());
            return sharing.isEmpty() ? null : sharing;
        });
    }

    /**
     * Switches hold entries of which nobody knows whose they are: their MLIDs are given only to groups that one of the ports makes to
     * which they lead.
     */
    void inherit(SortedMap<Integer, Set<Long>> ports) {
        inherited = ports;
    }

    /** What was {@link #inherit}ed last. */
    SortedMap<Integer, Set<Long>> inherited() {
        return inherited;
    }

    /** The lowest inherited MLID that no group has and that leads to a port; NONE if there is none. */
    int inheritedBy(long portGuid, int capacity) {
        for (Map.Entry<Integer, Set<Long>> each :
                inherited.headMap(MulticastView.FIRST_MLID + capacity).entrySet()) {
            if (!records.containsKey(each.getKey()) && each.getValue().contains(portGuid)) {
                return each.getKey();
            }
        }
        return NONE;
    }

    /** Whether the MLID of a record is free, or had by groups that it may share it with. */
    boolean mayHave(MCMemberRecord group) {
        Map<Gid, MCMemberRecord> there = records.get(group.mlid());
        return there == null || MulticastGroup.mayShareMlid(first(there), group);
    }

    /**
     * An MLID for a new group: the one that it asks for if that is free, else one that it is to share, else the lowest that is
     * free, else the one that fewest share.
     *
     * @param group its record; the MLID in it is asked for, NONE if none is
     * @param capacity MLIDs that switches have
     * @param isSharing whether groups of solicited-node addresses share one
     * @param isOpen whether a group may be made to share its MLID
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
                ? leastShared(end, there -> SolicitedNode.areAlike(first(there).mgid(), group.mgid()))
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

    /** The MLID, of those that fewest share, of groups that may share it with a group and are of some kind; NONE if none is. */
    int amongThose(MCMemberRecord group, int capacity, Predicate<Gid> isOpen) {
        return leastShared(
                MulticastView.FIRST_MLID + capacity,
                there -> MulticastGroup.mayShareMlid(first(there), group)
                        && isOpen.test(first(there).mgid()));
    }

    /** How many of so many MLIDs nobody has. */
    int free(int capacity) {
        return Math.max(
                0,
                capacity - records.headMap(MulticastView.FIRST_MLID + capacity).size());
    }

    /** How many more groups there may be. */
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

    /** The lowest of the MLIDs that fewest groups of some kind share; NONE if there is none. */
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

    /** Reports that a shortage is over. */
    void look(int capacity) {
        if (isShort && records.size() <= capacity - capacity / ENOUGH && lowestFree(capacity) != NONE) {
            isShort = false;
            EVENTS.report(SmEvent.MLIDS_SUFFICE);
        }
    }

    /** The lowest free one of so many MLIDs, or NONE. */
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
