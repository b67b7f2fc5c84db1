package io.torussm.vport;

import io.torussm.alias.VPortGuids;
import io.torussm.partition.PortKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The vports of all physical ports, and the physical port of each GUID. Written on the loop, read by any thread. */
public final class VPortTable implements VPortGuids {
    /** No vports; nothing is added to it. */
    public static final VPortTable NONE = new VPortTable(() -> false);

    private final Map<Long, List<VirtualPort>> byPort = new ConcurrentHashMap<>();
    private final Map<Long, Long> portOfGuid = new ConcurrentHashMap<>();

    private final BooleanSupplier isManaging;

    /**
     * Creates an empty table.
     *
     * @param isManaging whether the vports of a port that is not in the table are still to be found; called by any
     *     thread
     */
    VPortTable(BooleanSupplier isManaging) {
        this.isManaging = isManaging;
    }

    /** Returns a table with vports by the GUID of their physical port. */
    public static VPortTable of(Map<Long, List<VirtualPort>> byPortGuid) {
        VPortTable table = new VPortTable(() -> false);
        byPortGuid.forEach(table::put);
        return table;
    }

    /** Returns the vports of a physical port, by index; empty if it has none, or none is known. */
    public List<VirtualPort> of(long portGuid) {
        return byPort.getOrDefault(portGuid, List.of());
    }

    /** Returns the GUID of the physical port of a vport; 0 if no vport, or a port itself, has this GUID. */
    @Override
    public long portOf(long guid) {
        return portOfGuid.isEmpty() ? 0 : portOfGuid.getOrDefault(guid, 0L); // each path record asks twice
    }

    @Override
    public @Nullable PortKeys keysOf(long guid) {
        for (VirtualPort vport : of(portOf(guid))) {
            if (vport.guid() == guid) {
                return vport.keys();
            }
        }
        return null;
    }

    @Override
    public List<PortKeys> keysAt(long portGuid) {
        List<PortKeys> all = new ArrayList<>();
        for (VirtualPort vport : of(portGuid)) {
            PortKeys keys = vport.keys();
            if (keys != null) {
                all.add(keys);
            }
        }
        return all;
    }

    @Override
    public @Nullable List<Long> guidsAt(long portGuid) {
        List<VirtualPort> vports = byPort.get(portGuid);
        if (vports == null) {
            return isManaging.getAsBoolean() ? null : List.of();
        }
        return vports.stream()
                .filter(vport -> vport.index() != 0 && vport.guid() != portGuid)
                .map(VirtualPort::guid)
                .toList();
    }

    /** Returns the number of physical ports with vports. */
    public int ports() {
        return (int)
                byPort.values().stream().filter(vports -> !vports.isEmpty()).count();
    }

    /** Returns the number of vports in ACTIVE. */
    public long active() {
        return byPort.values().stream()
                .flatMap(List::stream)
                .filter(VirtualPort::isActive)
                .count();
    }

    /** Returns the number of vports. */
    public long vports() {
        return byPort.values().stream().mapToLong(List::size).sum();
    }

    /** Replaces the vports of a physical port. The GUID of another port's vport stays with that port. */
    void put(long portGuid, List<VirtualPort> vports) {
        remove(portGuid);
        byPort.put(portGuid, List.copyOf(vports));
        vports.stream()
                .filter(vport -> vport.guid() != portGuid)
                .forEach(vport -> portOfGuid.putIfAbsent(vport.guid(), portGuid));
    }

    void remove(long portGuid) {
        List<VirtualPort> previous = byPort.remove(portGuid);
        if (previous != null) {
            previous.forEach(vport -> portOfGuid.remove(vport.guid(), portGuid));
        }
    }

    /** Removes one vport of a physical port. */
    void remove(long portGuid, long guid) {
        put(
                portGuid,
                of(portGuid).stream().filter(vport -> vport.guid() != guid).toList());
    }

    void clear() {
        byPort.clear();
        portOfGuid.clear();
    }
}
