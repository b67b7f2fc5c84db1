package io.torussm.daemon.shadow;

import io.torussm.daemon.control.ShadowReport.Change;
import io.torussm.daemon.control.ShadowReport.DeviceChanges;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.snapshot.HeldTable;
import io.torussm.snapshot.SnapshotDifference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A difference in the words of operators: devices by name, tables by word. */
final class DifferenceWords {
    /** What changes with whoever takes over, and carries no packet elsewhere. */
    static final Set<HeldTable> UNAVOIDABLE = EnumSet.of(HeldTable.MASTER_SM, HeldTable.PORT_STATE);

    private static final int MAX_DEVICES = 20;

    private final FabricSnapshot snapshot;
    private final Names names;

    /**
     * Words about a fabric.
     *
     * @param snapshot that knows its devices
     */
    DifferenceWords(FabricSnapshot snapshot, Names names) {
        this.snapshot = snapshot;
        this.names = names;
    }

    /** A device by name and GUID. */
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

    /** What went and came, in words. */
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

    /** Entries by table: those that are only where the SM is and states of ports, or the others. */
    static Map<String, Long> counts(Map<HeldTable, Long> counts, boolean isUnavoidable) {
        Map<String, Long> words = new TreeMap<>();
        counts.forEach((table, count) -> {
            if (UNAVOIDABLE.contains(table) == isUnavoidable) {
                words.put(table.word(), count);
            }
        });
        return words;
    }

    /** The devices with most changes. */
    List<DeviceChanges> devices(SnapshotDifference difference) {
        List<Map.Entry<Long, Map<HeldTable, Long>>> all =
                new ArrayList<>(difference.byDevice().entrySet());
        all.sort(Comparator.comparing(each -> -counts(each.getValue(), false).values().stream()
                .mapToLong(Long::longValue)
                .sum()));
        return all.stream()
                .filter(each -> !counts(each.getValue(), false).isEmpty())
                .limit(MAX_DEVICES)
                .map(each -> new DeviceChanges(device(each.getKey()), counts(each.getValue(), false)))
                .toList();
    }

    /** Examples of what differs, without what cannot be avoided. */
    List<Change> examples(SnapshotDifference difference) {
        return difference.examples().stream()
                .filter(change -> !UNAVOIDABLE.contains(change.table()))
                .map(change -> new Change(
                        change.table().word(),
                        device(change.nodeGuid()),
                        change.portNum(),
                        change.what(),
                        change.before(),
                        change.after()))
                .toList();
    }
}
