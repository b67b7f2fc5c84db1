package io.torussm.snapshot;

import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A fabric at one moment: devices with their registers, cables, and subnet managers. Immutable. Two snapshots are equal
 * if their content is equal, even if they were taken at different times.
 */
public final class FabricSnapshot {
    private final Instant takenAt;
    private final PortRef local;
    private final SortedMap<Long, DeviceRegisters> devices;
    private final SortedSet<Cable> cables;
    private final List<Manager> managers;
    private final List<String> notes;

    /** A port of a device. */
    public record PortRef(long nodeGuid, int portNum) implements Comparable<PortRef> {
        @Override
        public int compareTo(PortRef other) {
            int order = Long.compareUnsigned(nodeGuid, other.nodeGuid);
            return order != 0 ? order : Integer.compare(portNum, other.portNum);
        }
    }

    /**
     * A cable.
     *
     * @param a the end with the lower GUID, or at one device the lower port
     */
    public record Cable(PortRef a, PortRef b) implements Comparable<Cable> {
        /** Returns a cable between two ports, given in any order. */
        public static Cable between(PortRef one, PortRef other) {
            return one.compareTo(other) <= 0 ? new Cable(one, other) : new Cable(other, one);
        }

        @Override
        public int compareTo(Cable other) {
            int order = a.compareTo(other.a);
            return order != 0 ? order : b.compareTo(other.b);
        }
    }

    /**
     * A subnet manager that answered a Get of SMInfo (IBA 14.2.5.13). Its SM_Key is secret and is not kept.
     *
     * @param portGuid PortGUID of its port
     * @param lid LID of that port
     * @param state 3 is master; see {@link io.torussm.mad.smp.SmInfo}
     * @param actCount counter of activity
     */
    public record Manager(long portGuid, int lid, int priority, int state, long actCount) {}

    /**
     * Creates a snapshot.
     *
     * @param local the port that it was taken from
     * @param managers managers of the subnet, that of the local port included if there is one
     * @param notes irregularities, in words
     */
    public FabricSnapshot(
            Instant takenAt,
            PortRef local,
            Collection<DeviceRegisters> devices,
            Collection<Cable> cables,
            List<Manager> managers,
            List<String> notes) {
        this.takenAt = takenAt;
        this.local = local;
        SortedMap<Long, DeviceRegisters> byGuid = new TreeMap<>(Long::compareUnsigned);
        devices.forEach(device -> byGuid.put(device.guid(), device));
        this.devices = Collections.unmodifiableSortedMap(byGuid);
        this.cables = Collections.unmodifiableSortedSet(new TreeSet<>(cables));
        List<Manager> sorted = new ArrayList<>(managers);
        sorted.sort((one, other) -> Long.compareUnsigned(one.portGuid, other.portGuid));
        this.managers = List.copyOf(sorted);
        this.notes = List.copyOf(notes);
    }

    /** Returns the time of completion. */
    public Instant takenAt() {
        return takenAt;
    }

    /** Returns the port from which the fabric was read. */
    public PortRef local() {
        return local;
    }

    /** Returns the devices by NodeGUID, in unsigned order. */
    public SortedMap<Long, DeviceRegisters> devices() {
        return devices;
    }

    /** Returns a device; null if it is not there. */
    public @Nullable DeviceRegisters device(long nodeGuid) {
        return devices.get(nodeGuid);
    }

    /** Returns the cables with a trained link. */
    public SortedSet<Cable> cables() {
        return cables;
    }

    /** Returns the subnet managers, by port GUID. */
    public List<Manager> managers() {
        return managers;
    }

    /** Returns the irregularities. */
    public List<String> notes() {
        return notes;
    }

    /** Registers that are known. */
    public int registers() {
        return devices.values().stream().mapToInt(DeviceRegisters::size).sum();
    }

    /** Returns a copy with other registers of each device. */
    public FabricSnapshot with(UnaryOperator<DeviceRegisters> change) {
        return new FabricSnapshot(
                takenAt, local, devices.values().stream().map(change).toList(), cables, managers, notes);
    }

    /** Returns these devices and cables without any subnet manager: no port has IsSM set. */
    public FabricSnapshot withoutManagers() {
        FabricSnapshot changed = with(FabricSnapshot::withoutManager);
        return new FabricSnapshot(takenAt, local, changed.devices.values(), cables, List.of(), notes);
    }

    private static DeviceRegisters withoutManager(DeviceRegisters device) {
        DeviceRegisters.Builder builder = device.toBuilder();
        Field capabilities = PortInfo.CAPABILITY_MASK;
        device.forEach((id, value) -> {
            if (id.attributeId() == PortInfo.TYPE.id()) {
                capabilities.set(value, 0, capabilities.get(value, 0) & ~(long) PortInfo.CAP_IS_SM);
                builder.put(id, value);
            }
        });
        return builder.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FabricSnapshot that
                && local.equals(that.local)
                && devices.equals(that.devices)
                && cables.equals(that.cables)
                && managers.equals(that.managers)
                && notes.equals(that.notes);
    }

    @Override
    public int hashCode() {
        return 31 * local.hashCode() + cables.hashCode();
    }

    @Override
    public String toString() {
        return "snapshot of " + devices.size() + " devices with " + registers() + " registers, taken " + takenAt;
    }
}
