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

    /**
     * A port of a device.
     *
     * @param portNum port number; 0 for port 0 of a switch
     */
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
     * @param a end with the lower NodeGUID, or at one device the lower port
     * @param b other end
     */
    public record Cable(PortRef a, PortRef b) implements Comparable<Cable> {
        /** Returns the cable between two ports, in any order. */
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
     * A subnet manager that responded to a Get of SMInfo (IBA 14.2.5.13). Its SM_Key is secret and is not kept.
     *
     * @param portGuid PortGUID of its port
     * @param lid LID of that port
     * @param priority Priority, 0 to 15
     * @param state SMState, such as 3 for master; see {@link io.torussm.mad.smp.SmInfo}
     * @param actCount ActCount
     */
    public record Manager(long portGuid, int lid, int priority, int state, long actCount) {}

    /**
     * Creates a snapshot.
     *
     * @param takenAt time at which the reading was completed
     * @param local port from which the fabric was read
     * @param managers subnet managers, including one at the local port
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

    /** Returns the time at which the reading was completed. */
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

    /** Returns the device with a NodeGUID; null if the snapshot has no such device. */
    public @Nullable DeviceRegisters device(long nodeGuid) {
        return devices.get(nodeGuid);
    }

    /** Returns the cables with a trained link. */
    public SortedSet<Cable> cables() {
        return cables;
    }

    /** Returns the subnet managers, in unsigned order of their port GUIDs. */
    public List<Manager> managers() {
        return managers;
    }

    /** Returns the irregularities, in words. */
    public List<String> notes() {
        return notes;
    }

    /** Returns the number of known registers of all devices. */
    public int registers() {
        return devices.values().stream().mapToInt(DeviceRegisters::size).sum();
    }

    /** Returns a copy in which a function has replaced the registers of each device. */
    public FabricSnapshot with(UnaryOperator<DeviceRegisters> change) {
        return new FabricSnapshot(
                takenAt, local, devices.values().stream().map(change).toList(), cables, managers, notes);
    }

    /** Returns a copy without subnet managers: no port has set IsSM. */
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
