package io.torussm.subnet;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The LIDs of virtual ports that require one of their own. In each switch such a LID has the entry of the physical port
 * that has the virtual port. The order is that of the last changes. Immutable.
 */
public final class VPortLids {
    /** No LIDs. */
    public static final VPortLids NONE = new VPortLids(Map.of());

    /** By GUID of the virtual port. */
    private final Map<Long, VPortLid> byGuid;

    /** By LID: GUID of the virtual port. Requests may ask for each pair of LIDs. */
    private final Map<Integer, Long> guidOfLid = new HashMap<>();

    /**
     * The LID of a virtual port.
     *
     * @param portGuid PortGUID of the physical port that has, or had last, the virtual port
     * @param isPresent whether the physical port has the virtual port; if not, the LID is kept for its return
     */
    public record VPortLid(int lid, long portGuid, boolean isPresent) {}

    private VPortLids(Map<Long, VPortLid> byGuid) {
        this.byGuid = byGuid;
        byGuid.forEach((guid, lid) -> guidOfLid.putIfAbsent(lid.lid(), guid));
    }

    /** Returns LIDs by GUID of the virtual port. */
    public static VPortLids of(Map<Long, VPortLid> byGuid) {
        return byGuid.isEmpty() ? NONE : new VPortLids(new LinkedHashMap<>(byGuid));
    }

    /** Returns the LID of the virtual port with a GUID; null without one. */
    public @Nullable VPortLid of(long guid) {
        return byGuid.get(guid);
    }

    /** Returns the GUIDs of the virtual ports with a LID, least recently changed first. */
    public List<Long> guids() {
        return List.copyOf(byGuid.keySet());
    }

    /** Returns the LIDs. */
    public Collection<VPortLid> lids() {
        return byGuid.values();
    }

    /** Returns the GUID of the virtual port with a LID; 0 if none has it. */
    public long guidOf(int lid) {
        return guidOfLid.getOrDefault(lid, 0L);
    }

    /** Checks whether there are no LIDs. */
    public boolean isEmpty() {
        return byGuid.isEmpty();
    }

    /** Returns a copy in which a virtual port has a LID, and is the last one. */
    public VPortLids with(long guid, VPortLid lid) {
        Map<Long, VPortLid> copy = new LinkedHashMap<>(byGuid);
        copy.remove(guid);
        copy.put(guid, lid);
        return new VPortLids(copy);
    }

    /** Returns a copy without the LID of a virtual port. */
    public VPortLids without(long guid) {
        Map<Long, VPortLid> copy = new LinkedHashMap<>(byGuid);
        copy.remove(guid);
        return of(copy);
    }

    /** Returns a copy with those LIDs of another value that no virtual port has here, for virtual ports without one. */
    public VPortLids completedBy(VPortLids other) {
        Map<Long, VPortLid> copy = new LinkedHashMap<>(byGuid);
        other.byGuid.forEach((guid, lid) -> {
            if (!guidOfLid.containsKey(lid.lid())) {
                copy.putIfAbsent(guid, lid);
            }
        });
        return of(copy);
    }

    /** Returns the LIDs that satisfy a condition. */
    public VPortLids only(Predicate<VPortLid> condition) {
        Map<Long, VPortLid> copy = new LinkedHashMap<>(byGuid);
        copy.values().removeIf(condition.negate());
        return copy.size() == byGuid.size() ? this : of(copy);
    }

    /** Checks whether both have the same LIDs at the same ports, in any order. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof VPortLids lids && byGuid.equals(lids.byGuid);
    }

    @Override
    public int hashCode() {
        return byGuid.hashCode();
    }
}
