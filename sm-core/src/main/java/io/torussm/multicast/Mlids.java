package io.torussm.multicast;

import io.torussm.mad.Gid;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which MLID which groups have. One has one; only {@link SolicitedNode} groups share. Owner thread: as its owner's. */
final class Mlids {
    /** No MLID. */
    static final int NONE = 0;

    private final TreeMap<Integer, Set<Gid>> mgids = new TreeMap<>();

    /** MGIDs of all groups, by MLID, ascending; a copy. */
    List<Gid> mgids() {
        List<Gid> all = new ArrayList<>();
        mgids.values().forEach(all::addAll);
        return all;
    }

    /** Gives a group an MLID. */
    void give(int mlid, Gid mgid) {
        mgids.computeIfAbsent(mlid, free -> new LinkedHashSet<>(2)).add(mgid);
    }

    /** Takes it back. */
    void takeBack(int mlid, Gid mgid) {
        mgids.computeIfPresent(mlid, (taken, sharing) -> {
            sharing.remove(mgid);
            return sharing.isEmpty() ? null : sharing;
        });
    }

    /** Whether nobody has it. */
    boolean isFree(int mlid) {
        return !mgids.containsKey(mlid);
    }

    /** Whether it is free, or had by groups that a new one may share it with. */
    boolean mayHave(Gid mgid, int mlid) {
        Set<Gid> there = mgids.get(mlid);
        return there == null || areAlike(mgid, there);
    }

    /** The lowest MLID of groups that a new one may share it with, or NONE. */
    int shared(Gid mgid) {
        for (Map.Entry<Integer, Set<Gid>> entry : mgids.entrySet()) {
            if (areAlike(mgid, entry.getValue())) {
                return entry.getKey();
            }
        }
        return NONE;
    }

    /** The lowest free one of so many MLIDs, or NONE. */
    int lowestFree(int capacity) {
        int mlid = MulticastView.FIRST_MLID;
        for (int used : mgids.keySet()) {
            if (used != mlid) {
                break;
            }
            mlid++;
        }
        return mlid < MulticastView.FIRST_MLID + capacity ? mlid : NONE;
    }

    private static boolean areAlike(Gid mgid, Set<Gid> sharing) {
        return SolicitedNode.areAlike(mgid, sharing.iterator().next());
    }
}
