package io.torussm.daemon.rolling;

import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.SimTraffic;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.RegisterId;
import io.torussm.snapshot.RegisterKind;
import io.torussm.snapshot.SnapshotDifference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cost for a fabric of a change of the master SM.
 *
 * @param name the old and the new SM, and the kind of takeover
 * @param changed entries that differ afterwards, by type
 * @param written entries that were changed in between, including those that were restored
 * @param slsAsked pairs whose SL is known before and after
 * @param slsChanged the pairs among them whose SL differs
 * @param examples examples of differences, of writes, and of lost packets
 * @param seconds until the new SM was up
 */
record MasterChange(
        String name,
        Map<RegisterKind, Long> changed,
        Map<RegisterKind, Long> written,
        int slsAsked,
        int slsChanged,
        SimTraffic.Tally packets,
        List<String> examples,
        double seconds) {
    /** Tables without effect on packets between hosts, which change with the master. */
    static final Set<RegisterKind> MASTER_TABLES = EnumSet.of(RegisterKind.MASTER_SM, RegisterKind.PORT_STATE);

    private static final int SPEEDS_BIT = 1 << 31;
    private static final int EXAMPLES = 12;

    static MasterChange of(
            String name,
            FabricSnapshot before,
            FabricSnapshot after,
            LiveFabric.ChangeEffects toll,
            Map<PathQueries.Pair, Integer> slsBefore,
            Map<PathQueries.Pair, Integer> slsAfter,
            double seconds) {
        List<String> examples = new ArrayList<>();
        SnapshotDifference difference = SnapshotDifference.between(before, after);
        difference.examples().forEach(change -> note(examples, "differs", before, change));
        Map<RegisterKind, Long> written = new EnumMap<>(RegisterKind.class);
        for (LiveFabric.Written each : toll.written()) {
            SnapshotDifference one = difference(before, each);
            one.counts().forEach((table, count) -> written.merge(table, count, Long::sum));
            one.examples().forEach(change -> note(examples, "written", before, change));
        }
        toll.losses().forEach(loss -> examples.add("lost " + loss));
        int asked = 0;
        int other = 0;
        for (Map.Entry<PathQueries.Pair, Integer> each : slsBefore.entrySet()) {
            int now = slsAfter.getOrDefault(each.getKey(), PathQueries.NO_PATH);
            boolean isKnown = now != PathQueries.NO_PATH && each.getValue() != PathQueries.NO_PATH;
            asked += isKnown ? 1 : 0;
            if (isKnown && now != each.getValue()) {
                other++;
                if (other <= 3) {
                    examples.add("SL of " + each.getKey() + ": " + each.getValue() + " -> " + now);
                }
            }
        }
        written.keySet().removeAll(MASTER_TABLES);
        Map<RegisterKind, Long> changed = new EnumMap<>(RegisterKind.class);
        changed.putAll(difference.counts());
        changed.keySet().removeAll(MASTER_TABLES);
        return new MasterChange(name, changed, written, asked, other, toll.packets(), examples, seconds);
    }

    private static SnapshotDifference difference(FabricSnapshot fabric, LiveFabric.Written write) {
        DeviceRegisters device = fabric.device(write.nodeGuid());
        if (device == null) {
            return SnapshotDifference.between(fabric, fabric);
        }
        int modifier = write.modifier();
        if (write.attributeId() == PortInfo.TYPE.id()) {
            modifier &= ~SPEEDS_BIT;
            modifier = modifier == 0 && !device.isSwitch() ? write.portNum() : modifier;
        }
        RegisterId id = new RegisterId(write.attributeId(), modifier, write.portNum());
        FabricSnapshot one = alone(fabric, device, id, write.before());
        return SnapshotDifference.between(one, alone(fabric, device, id, write.after()));
    }

    private static FabricSnapshot alone(FabricSnapshot fabric, DeviceRegisters device, RegisterId id, byte[] value) {
        DeviceRegisters.Builder builder = new DeviceRegisters.Builder(device.nodeInfo());
        SwitchInfo info = device.switchInfo();
        if (info != null) {
            builder.put(RegisterId.of(SwitchInfo.TYPE, 0, 0), info.toBytes());
        }
        return new FabricSnapshot(
                fabric.takenAt(),
                fabric.local(),
                List.of(builder.put(id, value).build()),
                List.of(),
                List.of(),
                List.of());
    }

    private static void note(
            List<String> examples, String message, FabricSnapshot fabric, SnapshotDifference.Change change) {
        long known = examples.stream().filter(line -> line.startsWith(message)).count();
        if (MASTER_TABLES.contains(change.table()) || known >= EXAMPLES) {
            return;
        }
        DeviceRegisters device = fabric.device(change.nodeGuid());
        examples.add(String.format(
                "%s %s %s port %d %s: %s -> %s",
                message,
                change.table().word(),
                device == null ? Long.toHexString(change.nodeGuid()) : device.description(),
                change.portNum(),
                change.entry(),
                change.before(),
                change.after()));
    }

    /** Checks that nothing changed, no relevant table was written, and no packet was lost. */
    boolean isSmooth() {
        return changed.isEmpty() && written.isEmpty() && slsChanged == 0 && packets.losses() == 0;
    }
}
