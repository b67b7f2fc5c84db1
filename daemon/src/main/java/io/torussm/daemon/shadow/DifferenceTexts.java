package io.torussm.daemon.shadow;

import io.torussm.daemon.control.ShadowReport.Change;
import io.torussm.daemon.control.ShadowReport.DeviceChanges;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.snapshot.RegisterKind;
import io.torussm.snapshot.SnapshotDifference;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The texts about a difference of snapshots, for operators: devices with their names, counts by kind of register.
 * Settings of ports and switches are in no count; {@link SnapshotDifference#settings} has them by field.
 */
final class DifferenceTexts {
    /** Registers that a new master SM may change without an effect on the routes of packets. */
    private static final Set<RegisterKind> UNAVOIDABLE = EnumSet.of(RegisterKind.MASTER_SM, RegisterKind.PORT_STATE);

    private static final int MAX_DEVICES = 20;

    /** Snapshots with the devices of the texts. The first that knows the description of a device names it. */
    private final List<FabricSnapshot> snapshots;

    private final Names names;

    private DifferenceTexts(List<FabricSnapshot> snapshots, Names names) {
        this.snapshots = snapshots;
        this.names = names;
    }

    /** Returns the texts about differences between tables of the devices of a snapshot. */
    static DifferenceTexts ofTables(FabricSnapshot snapshot, Names names) {
        return new DifferenceTexts(List.of(snapshot), names);
    }

    /** Returns the texts about a change of a fabric, which may have lost devices and got new ones. */
    static DifferenceTexts ofChange(FabricSnapshot before, FabricSnapshot after, Names names) {
        return new DifferenceTexts(List.of(after, before), names);
    }

    /** Formats the GUID of a device, with its name if it has one. */
    String device(long guid) {
        String name = names.of(guid, description(guid));
        return Guid.format(guid) + (name.isEmpty() ? "" : " \"" + name + "\"");
    }

    /** Returns the NodeDescription of a device; empty if it is unknown. */
    private String description(long guid) {
        return snapshots.stream()
                .map(snapshot -> snapshot.device(guid))
                .filter(Objects::nonNull)
                .map(DeviceRegisters::description)
                .filter(description -> !description.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Formats a port: its device and its number. */
    private String port(PortRef port) {
        return device(port.nodeGuid()) + " port " + port.portNum();
    }

    /** Formats the two ports of a cable. */
    private String cable(Cable cable) {
        return port(cable.a()) + " to " + port(cable.b());
    }

    /**
     * Formats the devices that are gone or new, and the cables that are down or up. The cables of lost and new devices
     * are omitted.
     */
    List<String> topology(SnapshotDifference difference) {
        return Stream.of(
                        difference.lostDevices().stream().map(guid -> "gone: " + device(guid)),
                        difference.newDevices().stream().map(guid -> "new: " + device(guid)),
                        difference.lostCables().stream()
                                .filter(cable -> isBetweenKnown(cable, difference.lostDevices()))
                                .map(cable -> "down: " + cable(cable)),
                        difference.newCables().stream()
                                .filter(cable -> isBetweenKnown(cable, difference.newDevices()))
                                .map(cable -> "up: " + cable(cable)))
                .flatMap(texts -> texts)
                .toList();
    }

    private static boolean isBetweenKnown(Cable cable, Set<Long> changed) {
        return !changed.contains(cable.a().nodeGuid())
                && !changed.contains(cable.b().nodeGuid());
    }

    /** Selects the counts of tables with an effect on routes and hosts. Keys are the words of the tables. */
    static Map<String, Long> tableCounts(Map<RegisterKind, Long> counts) {
        return selectCounts(counts, RegisterKind.TABLES);
    }

    /** Selects the counts of registers that a new master SM may change. Keys are the words of the registers. */
    static Map<String, Long> unavoidableCounts(Map<RegisterKind, Long> counts) {
        return selectCounts(counts, UNAVOIDABLE);
    }

    private static Map<String, Long> selectCounts(Map<RegisterKind, Long> counts, Set<RegisterKind> kinds) {
        Map<String, Long> selected = new TreeMap<>();
        counts.forEach((kind, count) -> {
            if (kinds.contains(kind)) {
                selected.put(kind.word(), count);
            }
        });
        return selected;
    }

    /** Returns the devices with the most different entries in tables, at least one; ties by GUID. */
    List<DeviceChanges> devices(SnapshotDifference difference) {
        record CountedDevice(long guid, Map<String, Long> counts, long total) {}
        return difference.byDevice().entrySet().stream()
                .map(entry -> {
                    Map<String, Long> counts = tableCounts(entry.getValue());
                    long total =
                            counts.values().stream().mapToLong(Long::longValue).sum();
                    return new CountedDevice(entry.getKey(), counts, total);
                })
                .filter(device -> device.total > 0)
                // A stable sort of a map by GUID.
                .sorted(Comparator.comparingLong(CountedDevice::total).reversed())
                .limit(MAX_DEVICES)
                .map(device -> new DeviceChanges(device(device.guid), device.counts))
                .toList();
    }

    /** Returns examples of different entries in the tables that {@link #tableCounts} counts. */
    List<Change> examples(SnapshotDifference difference) {
        return difference.examples().stream()
                .filter(change -> RegisterKind.TABLES.contains(change.table()))
                .map(change -> new Change(
                        change.table().word(),
                        device(change.nodeGuid()),
                        change.portNum(),
                        change.entry(),
                        change.before(),
                        change.after()))
                .toList();
    }
}
