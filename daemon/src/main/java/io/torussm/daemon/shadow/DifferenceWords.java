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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The texts about a difference of snapshots, for operators: devices with their names, tables with their words. */
final class DifferenceWords {
    /** Tables that each new master SM changes, without an effect on the routes of packets. */
    private static final Set<RegisterKind> UNAVOIDABLE = EnumSet.of(RegisterKind.MASTER_SM, RegisterKind.PORT_STATE);

    private static final int MAX_DEVICES = 20;

    private final FabricSnapshot snapshot;
    private final Names names;

    /**
     * Creates texts about a fabric.
     *
     * @param snapshot snapshot with all devices that occur in the texts
     */
    DifferenceWords(FabricSnapshot snapshot, Names names) {
        this.snapshot = snapshot;
        this.names = names;
    }

    /** Formats the GUID of a device, with its name if it has one. */
    String device(long guid) {
        DeviceRegisters device = snapshot.device(guid);
        String name = names.of(guid, device == null ? "" : device.description());
        return Guid.format(guid) + (name.isEmpty() ? "" : " \"" + name + "\"");
    }

    private String port(PortRef port) {
        return device(port.nodeGuid()) + " port " + port.portNum();
    }

    String cable(Cable cable) {
        return port(cable.a()) + " to " + port(cable.b());
    }

    /** Formats the lost and new devices and cables. The cables of lost and new devices are omitted. */
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
                .flatMap(each -> each)
                .toList();
    }

    private static boolean isBetweenKnown(Cable cable, Set<Long> changed) {
        return !changed.contains(cable.a().nodeGuid())
                && !changed.contains(cable.b().nodeGuid());
    }

    /** Returns the number of different entries by word, for the tables with an effect on routes and hosts. */
    static Map<String, Long> tables(Map<RegisterKind, Long> counts) {
        return counts(counts, RegisterKind.TABLES);
    }

    /** Returns the number of different entries by word, for the tables that each new master SM changes. */
    static Map<String, Long> unavoidable(Map<RegisterKind, Long> counts) {
        return counts(counts, UNAVOIDABLE);
    }

    private static Map<String, Long> counts(Map<RegisterKind, Long> counts, Set<RegisterKind> selection) {
        Map<String, Long> words = new TreeMap<>();
        counts.forEach((table, count) -> {
            if (selection.contains(table)) {
                words.put(table.word(), count);
            }
        });
        return words;
    }

    private static long total(Map<RegisterKind, Long> counts) {
        return tables(counts).values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the devices with the most different entries, as counted by {@link #tables}. */
    List<DeviceChanges> devices(SnapshotDifference difference) {
        List<Map.Entry<Long, Map<RegisterKind, Long>>> all =
                new ArrayList<>(difference.byDevice().entrySet());
        all.sort(Comparator.comparing(each -> -total(each.getValue())));
        return all.stream()
                .filter(each -> total(each.getValue()) > 0)
                .limit(MAX_DEVICES)
                .map(each -> new DeviceChanges(device(each.getKey()), tables(each.getValue())))
                .toList();
    }

    /** Returns examples of different entries in the tables that {@link #tables} counts. */
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
