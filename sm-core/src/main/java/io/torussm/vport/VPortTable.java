package io.torussm.vport;

import io.torussm.alias.VPortGuids;
import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The vports of all physical ports, and the physical port of each GUID. Written on the loop, read by any thread. */
public final class VPortTable implements VPortGuids {
    /** No vports; nothing is added to it. */
    public static final VPortTable NONE = new VPortTable(() -> false);

    /** Vports that are listed by description beside their number. */
    private static final int MAX_NAMED = 8;

    private final Map<Long, List<VirtualPort>> byPort = new ConcurrentHashMap<>();
    private final Map<Long, Place> byGuid = new ConcurrentHashMap<>();

    /** By PortGUID: the P_Keys of vports together. */
    private final Map<Long, PartitionSet> keys = new ConcurrentHashMap<>();

    /** PortGUIDs of ports whose vports were all read, or were waited for too long. */
    private final Set<Long> allGuids = ConcurrentHashMap.newKeySet();

    private final Map<VisitOutcome, LongAdder> visits = new EnumMap<>(VisitOutcome.class);

    private final VPortHistory history = new VPortHistory();
    private final BooleanSupplier isManaging;
    private Consumer<Set<Long>> moveListener = guids -> {};

    /** The outcome of a visit of a port. */
    public enum VisitOutcome {
        /** All vports are as they should be. */
        DONE,
        /** Some stay as they are. */
        LEFT,
        /** The device did not respond. */
        SILENT,
        /** The share of the port was used; another visit continues. */
        PART
    }

    /** A vport with a description. */
    public record NamedVPort(int index, String description) {}

    /**
     * Numbers of vports.
     *
     * @param active number of those in ACTIVE
     * @param described the first {@link #MAX_NAMED} vports with a description; null if there is none
     */
    public record VPortCount(
            int count, int active, @Nullable List<NamedVPort> described) {
        public VPortCount(int count, int active) {
            this(count, active, null);
        }

        @Override
        public String toString() {
            return count + ", in ACTIVE " + active;
        }
    }

    /** A vport at a physical port. */
    private record Place(long portGuid, VirtualPort vport) {}

    /**
     * Creates an empty table.
     *
     * @param isManaging whether the vports of a port that is not in the table are still to be found; called by any
     *     thread
     */
    VPortTable(BooleanSupplier isManaging) {
        this.isManaging = isManaging;
        for (VisitOutcome outcome : VisitOutcome.values()) {
            visits.put(outcome, new LongAdder());
        }
    }

    /** Returns a table with vports by the GUID of their physical port. */
    public static VPortTable of(Map<Long, List<VirtualPort>> byPortGuid) {
        VPortTable table = new VPortTable(() -> false);
        byPortGuid.forEach(table::put);
        return table;
    }

    /** Sets the listener for GUIDs of vports that came to a physical port or left it; called on the loop. */
    void whenMoved(Consumer<Set<Long>> listener) {
        moveListener = listener;
    }

    /** Returns the vports of a physical port, by index; empty if it has none, or none is known. */
    public List<VirtualPort> of(long portGuid) {
        return byPort.getOrDefault(portGuid, List.of());
    }

    /** Returns a vport of a physical port by its index; null if it is not known. */
    @Nullable
    VirtualPort of(long portGuid, int index) {
        return of(portGuid).stream()
                .filter(vport -> vport.index() == index)
                .findFirst()
                .orElse(null);
    }

    /** Returns the GUID of the physical port of a vport; 0 if no vport, or a port itself, has this GUID. */
    @Override
    public long portOf(long guid) {
        Place place = byGuid.isEmpty() ? null : byGuid.get(guid); // each path record asks twice
        return place == null ? 0 : place.portGuid();
    }

    @Override
    public @Nullable PortKeys keysOf(long guid) {
        Place place = byGuid.isEmpty() ? null : byGuid.get(guid);
        return place == null ? null : place.vport().keys();
    }

    @Override
    public int lidOf(long guid) {
        Place place = byGuid.isEmpty() ? null : byGuid.get(guid);
        return place == null ? 0 : place.vport().lid();
    }

    @Override
    public PartitionSet keysAt(long portGuid) {
        return keys.getOrDefault(portGuid, PartitionSet.NONE);
    }

    @Override
    public @Nullable List<Long> guidsAt(long portGuid) {
        if (!allGuids.contains(portGuid) && isManaging.getAsBoolean()) {
            return null;
        }
        return of(portGuid).stream()
                .filter(vport -> vport.index() != 0 && vport.guid() != portGuid)
                .map(VirtualPort::guid)
                .toList();
    }

    /** Returns the PortGUIDs of the physical ports that were read, in ascending order. */
    Set<Long> portGuids() {
        return new TreeSet<>(byPort.keySet());
    }

    /** Returns the number of physical ports with vports. */
    public int ports() {
        return (int)
                byPort.values().stream().filter(vports -> !vports.isEmpty()).count();
    }

    /** Returns the number of vports in ACTIVE. */
    public long countActive() {
        return byPort.values().stream()
                .flatMap(List::stream)
                .filter(VirtualPort::isActive)
                .count();
    }

    /** Returns the number of vports in a PortState. */
    public long countInState(int state) {
        return byPort.values().stream()
                .flatMap(List::stream)
                .filter(vport -> vport.state() == state)
                .count();
    }

    /** Returns the number of the vports of some physical ports; null if they have none. */
    public @Nullable VPortCount count(Collection<Long> portGuids) {
        List<VirtualPort> vports =
                portGuids.stream().flatMap(guid -> of(guid).stream()).toList();
        int active = (int) vports.stream().filter(VirtualPort::isActive).count();
        List<NamedVPort> described = vports.stream()
                .filter(vport -> !vport.name().isEmpty())
                .limit(MAX_NAMED)
                .map(vport -> new NamedVPort(vport.index(), vport.name()))
                .toList();
        return vports.isEmpty() ? null : new VPortCount(vports.size(), active, described.isEmpty() ? null : described);
    }

    /** Returns the description of a vport at a port that has it, or had it; empty if none is known. */
    String lastName(long portGuid, long guid) {
        return of(portGuid).stream()
                .filter(vport -> vport.guid() == guid)
                .findFirst()
                .map(VirtualPort::name)
                .filter(name -> !name.isEmpty())
                .orElseGet(() -> history.lastName(portGuid, guid));
    }

    /** Returns the arrivals and departures of vports, the last one first, with the present descriptions. */
    public List<VPortHistory.Entry> changes() {
        return history.entries().stream()
                .map(entry -> entry.withName(lastName(entry.portGuid(), entry.guid())))
                .toList();
    }

    /** Returns the arrivals and departures of vports. */
    public VPortHistory history() {
        return history;
    }

    /** Returns the number of visits that ended so. */
    public long visits(VisitOutcome outcome) {
        return Objects.requireNonNull(visits.get(outcome)).sum();
    }

    void countVisit(VisitOutcome outcome) {
        Objects.requireNonNull(visits.get(outcome)).increment();
    }

    /** Returns the number of vports. */
    public long vports() {
        return byPort.values().stream().mapToLong(List::size).sum();
    }

    /**
     * Replaces the vports of a physical port. The GUID of another port's vport stays with that port. A vport that stays
     * is never missing, and keeps its description.
     */
    void put(long portGuid, List<VirtualPort> vports) {
        List<VirtualPort> copy = withKnownDescriptions(vports, of(portGuid));
        List<VirtualPort> previous = byPort.put(portGuid, copy);
        if (!copy.equals(previous)) {
            putKeys(portGuid, copy);
        }
        Set<Long> guids = new HashSet<>();
        Set<Long> moved = new HashSet<>();
        for (VirtualPort vport : copy) {
            if (vport.guid() != portGuid && guids.add(vport.guid())) {
                byGuid.compute(vport.guid(), (guid, place) -> {
                    if (place == null) {
                        moved.add(guid);
                    }
                    return place == null || place.portGuid() == portGuid ? new Place(portGuid, vport) : place;
                });
            }
        }
        moved.addAll(removeGuids(portGuid, previous, guids));
        notifyOfMoves(moved);
    }

    private void notifyOfMoves(Set<Long> moved) {
        if (!moved.isEmpty()) {
            moveListener.accept(moved);
        }
    }

    /** Returns vports with the descriptions of the previous ones with the same GUIDs. */
    private static List<VirtualPort> withKnownDescriptions(List<VirtualPort> vports, List<VirtualPort> previous) {
        if (vports.equals(previous)) {
            return previous; // as after almost all visits
        }
        Map<Long, String> known = new HashMap<>();
        for (VirtualPort vport : previous) {
            String description = vport.description();
            if (description != null) {
                known.put(vport.guid(), description);
            }
        }
        return known.isEmpty()
                ? List.copyOf(vports)
                : vports.stream()
                        .map(vport -> vport.withDescription(known.get(vport.guid())))
                        .toList();
    }

    /** Gives a vport of a physical port a description, unless it is not known any more. */
    void describe(long portGuid, int index, long guid, String description) {
        List<VirtualPort> vports = of(portGuid);
        for (int i = 0; i < vports.size(); i++) {
            VirtualPort vport = vports.get(i);
            if (vport.index() == index && vport.guid() == guid) {
                List<VirtualPort> described = new ArrayList<>(vports);
                VirtualPort after = vport.withDescription(shared(description, vports));
                described.set(i, after);
                byPort.put(portGuid, List.copyOf(described));
                byGuid.computeIfPresent(
                        guid, (any, place) -> place.portGuid() == portGuid ? new Place(portGuid, after) : place);
                return;
            }
        }
    }

    /** Returns the description as the object of another vport, as all vports of a host may have the same one. */
    private static String shared(String description, List<VirtualPort> vports) {
        return vports.stream()
                .map(VirtualPort::description)
                .filter(description::equals)
                .findFirst()
                .orElse(description);
    }

    private void putKeys(long portGuid, List<VirtualPort> vports) {
        PartitionSet together = PartitionSet.of(
                vports.stream().map(VirtualPort::keys).filter(Objects::nonNull).toList());
        if (together.equals(PartitionSet.NONE)) {
            keys.remove(portGuid);
        } else {
            keys.put(portGuid, together);
        }
    }

    /** Removes the places of vports that a physical port had, except for some GUIDs. Returns the removed GUIDs. */
    private Set<Long> removeGuids(long portGuid, @Nullable List<VirtualPort> previous, Set<Long> but) {
        Set<Long> removed = new HashSet<>();
        for (VirtualPort vport : previous == null ? List.<VirtualPort>of() : previous) {
            if (!but.contains(vport.guid())) {
                byGuid.computeIfPresent(vport.guid(), (guid, place) -> {
                    boolean isHere = place.portGuid() == portGuid;
                    if (isHere) {
                        removed.add(guid);
                    }
                    return isHere ? null : place;
                });
            }
        }
        return removed;
    }

    /** Checks whether the vports of a port were all read, or were waited for too long. */
    boolean isKnown(long portGuid) {
        return allGuids.contains(portGuid);
    }

    /** Notes that the vports of a port are all known. */
    void markAllRead(long portGuid) {
        allGuids.add(portGuid);
    }

    void remove(long portGuid) {
        allGuids.remove(portGuid);
        keys.remove(portGuid);
        notifyOfMoves(removeGuids(portGuid, byPort.remove(portGuid), Set.of()));
    }

    /** Removes one vport of a physical port. */
    void remove(long portGuid, long guid) {
        put(
                portGuid,
                of(portGuid).stream().filter(vport -> vport.guid() != guid).toList());
    }

    void clear() {
        byPort.clear();
        byGuid.clear();
        keys.clear();
        allGuids.clear();
        history.clear();
    }
}
