package io.torussm.subnet;

import io.torussm.subnet.VPortLids.VPortLid;
import java.util.Collection;
import java.util.Collections;
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
public final class VPortLidBook {
    /** By GUID of the vport, least recently changed first. */
    private final Map<Long, VPortLid> lids = new LinkedHashMap<>();

    /** By PortGUID: GUIDs of vports that are, or were last, at the port, least recently changed first. */
    private final Map<Long, Set<Long>> guidsOfPort = new HashMap<>();

    /** By LID: GUID of the vport that has it, or had. */
    private final Map<Integer, Long> guidOfLid = new HashMap<>();

    /** Replaces all LIDs. */
    public void load(VPortLids other) {
        lids.clear();
        guidsOfPort.clear();
        guidOfLid.clear();
        other.guids().forEach(guid -> put(guid, Objects.requireNonNull(other.of(guid))));
    }

    /** Returns an immutable copy. */
    public VPortLids value() {
        return VPortLids.of(lids);
    }

    public int size() {
        return lids.size();
    }

    public @Nullable VPortLid of(long guid) {
        return lids.get(guid);
    }

    /** Returns the LIDs by GUID of the vport. */
    public Set<Map.Entry<Long, VPortLid>> entries() {
        return lids.entrySet();
    }

    public boolean hasLid(int lid) {
        return guidOfLid.containsKey(lid);
    }

    /** Returns the GUID of the vport with a LID; null if none has it. */
    public @Nullable Long guidOf(int lid) {
        return guidOfLid.get(lid);
    }

    /** Returns the PortGUIDs of ports that have or had such a vport. */
    public List<Long> ports() {
        return List.copyOf(guidsOfPort.keySet());
    }

    /** Returns the GUIDs of such vports that are, or were last, at a port. */
    public List<Long> guidsAt(long portGuid) {
        return List.copyOf(guidsOfPort.getOrDefault(portGuid, Set.of()));
    }

    public void put(long guid, VPortLid lid) {
        remove(guid);
        lids.put(guid, lid);
        guidOfLid.put(lid.lid(), guid);
        guidsOfPort
                .computeIfAbsent(lid.portGuid(), any -> new LinkedHashSet<>())
                .add(guid);
    }

    public void remove(long guid) {
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

    /** Removes the first LID of some vports that satisfies a condition. Returns it; 0 if there is none. */
    public int removeFirst(Collection<Long> guids, Predicate<VPortLid> condition) {
        for (long guid : List.copyOf(guids)) {
            VPortLid lid = lids.get(guid);
            if (lid != null && condition.test(lid)) {
                remove(guid);
                return lid.lid();
            }
        }
        return 0;
    }

    /** Returns the GUIDs of all vports with a LID, least recently changed first. */
    public Collection<Long> guids() {
        return Collections.unmodifiableSet(lids.keySet());
    }
}
