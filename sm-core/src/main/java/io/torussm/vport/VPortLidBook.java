package io.torussm.vport;

import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The LIDs of vports: a working copy of {@link VPortLids}, which is copied at each change. Owner thread: the loop. */
final class VPortLidBook {
    /** By GUID of the vport, least recently changed first. */
    private final Map<Long, VPortLid> lids = new LinkedHashMap<>();

    /** By PortGUID: GUIDs of vports that are, or were last, at the port, least recently changed first. */
    private final Map<Long, Set<Long>> guidsOfPort = new HashMap<>();

    /** By LID: GUID of the vport that has it, or had. */
    private final Map<Integer, Long> guidOfLid = new HashMap<>();

    /** Replaces all LIDs. */
    void load(VPortLids other) {
        lids.clear();
        guidsOfPort.clear();
        guidOfLid.clear();
        other.guids().forEach(guid -> put(guid, Objects.requireNonNull(other.of(guid))));
    }

    VPortLids value() {
        return VPortLids.of(lids);
    }

    int size() {
        return lids.size();
    }

    @Nullable
    VPortLid of(long guid) {
        return lids.get(guid);
    }

    /** Returns the LIDs by GUID of the vport. */
    Set<Map.Entry<Long, VPortLid>> entries() {
        return lids.entrySet();
    }

    boolean hasLid(int lid) {
        return guidOfLid.containsKey(lid);
    }

    /** Returns the GUID of the vport with a LID; null if none has it. */
    @Nullable
    Long guidOf(int lid) {
        return guidOfLid.get(lid);
    }

    /** Returns the PortGUIDs of ports that have or had such a vport. */
    List<Long> ports() {
        return List.copyOf(guidsOfPort.keySet());
    }

    /** Returns the GUIDs of such vports that are, or were last, at a port. */
    List<Long> guidsAt(long portGuid) {
        return List.copyOf(guidsOfPort.getOrDefault(portGuid, Set.of()));
    }

    void put(long guid, VPortLid lid) {
        remove(guid);
        lids.put(guid, lid);
        guidOfLid.put(lid.lid(), guid);
        guidsOfPort
                .computeIfAbsent(lid.portGuid(), any -> new LinkedHashSet<>())
                .add(guid);
    }

    void remove(long guid) {
        VPortLid lid = lids.remove(guid);
        Set<Long> ofPort = lid == null ? null : guidsOfPort.get(lid.portGuid());
        if (lid != null && ofPort != null) {
            guidOfLid.remove(lid.lid(), guid);
            ofPort.remove(guid);
            if (ofPort.isEmpty()) {
                guidsOfPort.remove(lid.portGuid());
            }
        }
    }

    /** Removes the first LID of some vports that no port has now. Returns it; 0 if there is none. */
    int removeAbsent(Collection<Long> guids, Predicate<VPortLid> condition) {
        for (long guid : List.copyOf(guids)) {
            VPortLid lid = lids.get(guid);
            if (lid != null && !lid.isPresent() && condition.test(lid)) {
                remove(guid);
                return lid.lid();
            }
        }
        return 0;
    }

    /** Removes the first LID of any vport that no port has now. Returns it; 0 if there is none. */
    int removeAbsent(Predicate<VPortLid> condition) {
        return removeAbsent(lids.keySet(), condition);
    }
}
