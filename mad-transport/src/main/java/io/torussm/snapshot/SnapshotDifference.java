package io.torussm.snapshot;

import io.torussm.mad.Field;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.snapshot.FabricSnapshot.Cable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The differences between two snapshots of a fabric, entry by entry, of devices and registers that are in both. A LID
 * above LinearFDBTop has no port. Entries of VL arbitration without a weight count as absent. Counters, read-only
 * fields and IsSM of ports are not compared. Immutable.
 */
public final class SnapshotDifference {
    private static final int EXAMPLES = 10;
    private static final List<Field> ADDRESS = List.of(PortInfo.LID, PortInfo.LMC);
    private static final List<Field> MASTER = List.of(PortInfo.MASTER_SM_LID, PortInfo.MASTER_SM_SL);
    private static final List<Field> STATE = List.of(PortInfo.PORT_STATE);
    private static final List<Field> PORT_SETTINGS = List.of(
            PortInfo.M_KEY,
            PortInfo.GID_PREFIX,
            PortInfo.M_KEY_LEASE_PERIOD,
            PortInfo.LINK_WIDTH_ENABLED,
            PortInfo.LINK_DOWN_DEFAULT_STATE,
            PortInfo.M_KEY_PROTECT_BITS,
            PortInfo.LINK_SPEED_ENABLED,
            PortInfo.NEIGHBOR_MTU,
            PortInfo.VL_HIGH_LIMIT,
            PortInfo.VL_STALL_COUNT,
            PortInfo.HOQ_LIFE,
            PortInfo.OPERATIONAL_VLS,
            PortInfo.PARTITION_ENFORCEMENT_INBOUND,
            PortInfo.PARTITION_ENFORCEMENT_OUTBOUND,
            PortInfo.FILTER_RAW_INBOUND,
            PortInfo.FILTER_RAW_OUTBOUND,
            PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION,
            PortInfo.SUBNET_TIME_OUT,
            PortInfo.LOCAL_PHY_ERRORS,
            PortInfo.OVERRUN_ERRORS,
            PortInfo.LINK_SPEED_EXT_ENABLED,
            PortInfo.LINK_SPEED_EXT_ENABLED2);
    private static final List<Field> SWITCH_SETTINGS = List.of(
            SwitchInfo.LINEAR_FDB_TOP,
            SwitchInfo.DEFAULT_PORT,
            SwitchInfo.DEFAULT_MULTICAST_PRIMARY_PORT,
            SwitchInfo.DEFAULT_MULTICAST_NOT_PRIMARY_PORT,
            SwitchInfo.LIFE_TIME_VALUE,
            SwitchInfo.MULTICAST_FDB_TOP);

    private final SortedMap<Long, Map<RegisterKind, Long>> byDevice = new TreeMap<>(Long::compareUnsigned);
    private final Map<RegisterKind, Long> counts = new EnumMap<>(RegisterKind.class);
    private final SortedMap<String, Long> settings = new TreeMap<>();
    private final List<Change> examples = new ArrayList<>();
    private final SortedSet<Cable> lostCables = new TreeSet<>();
    private final SortedSet<Cable> newCables = new TreeSet<>();
    private final SortedSet<Long> lostDevices = new TreeSet<>(Long::compareUnsigned);
    private final SortedSet<Long> newDevices = new TreeSet<>(Long::compareUnsigned);

    /**
     * An entry that differs.
     *
     * @param table kind of the entry
     * @param nodeGuid NodeGUID of the device
     * @param portNum port; 0 for an entry of the device
     * @param entry entry or field, such as {@code LID 12}
     * @param before value in the first snapshot, as displayed; for M_Keys a fixed word
     * @param after value in the second snapshot
     */
    public record Change(RegisterKind table, long nodeGuid, int portNum, String entry, String before, String after) {}

    private SnapshotDifference() {}

    /** Returns the changes that turn the first snapshot into the second one. */
    public static SnapshotDifference between(FabricSnapshot before, FabricSnapshot after) {
        SnapshotDifference difference = new SnapshotDifference();
        difference.lostCables.addAll(before.cables());
        difference.lostCables.removeAll(after.cables());
        difference.newCables.addAll(after.cables());
        difference.newCables.removeAll(before.cables());
        difference.lostDevices.addAll(before.devices().keySet());
        difference.lostDevices.removeAll(after.devices().keySet());
        difference.newDevices.addAll(after.devices().keySet());
        difference.newDevices.removeAll(before.devices().keySet());
        before.devices().forEach((guid, device) -> {
            DeviceRegisters later = after.device(guid);
            if (later != null && !device.equals(later)) {
                difference.compare(device, later);
            }
        });
        return difference;
    }

    /** Returns the number of entries that differ, by kind; without kinds that have none. */
    public Map<RegisterKind, Long> counts() {
        return Collections.unmodifiableMap(counts);
    }

    /** Returns the number of entries of a kind that differ. */
    public long count(RegisterKind table) {
        return counts.getOrDefault(table, 0L);
    }

    /** Returns the number of entries of some kinds that differ. */
    public long count(Set<RegisterKind> tables) {
        return tables.stream().mapToLong(this::count).sum();
    }

    /** Returns the number of settings that differ, by field of PortInfo or SwitchInfo. */
    public SortedMap<String, Long> settings() {
        return Collections.unmodifiableSortedMap(settings);
    }

    /** Returns the number of entries that differ, by NodeGUID and kind. */
    public SortedMap<Long, Map<RegisterKind, Long>> byDevice() {
        return Collections.unmodifiableSortedMap(byDevice);
    }

    /** Returns the first {@value #EXAMPLES} differences of each kind. */
    public List<Change> examples() {
        return List.copyOf(examples);
    }

    /** Returns the cables of the first snapshot that the second one lacks. */
    public SortedSet<Cable> lostCables() {
        return Collections.unmodifiableSortedSet(lostCables);
    }

    /** Returns the cables of the second snapshot that the first one lacks. */
    public SortedSet<Cable> newCables() {
        return Collections.unmodifiableSortedSet(newCables);
    }

    /** Returns the NodeGUIDs of devices of the first snapshot that the second one lacks. */
    public SortedSet<Long> lostDevices() {
        return Collections.unmodifiableSortedSet(lostDevices);
    }

    /** Returns the NodeGUIDs of devices of the second snapshot that the first one lacks. */
    public SortedSet<Long> newDevices() {
        return Collections.unmodifiableSortedSet(newDevices);
    }

    /** Checks whether both snapshots have the same devices and cables. */
    public boolean isSameTopology() {
        return lostCables.isEmpty() && newCables.isEmpty() && lostDevices.isEmpty() && newDevices.isEmpty();
    }

    /** Checks whether the snapshots have no differences. */
    public boolean isEmpty() {
        return counts.isEmpty() && isSameTopology();
    }

    private void note(Change change) {
        long count = counts.merge(change.table, 1L, Long::sum);
        byDevice.computeIfAbsent(change.nodeGuid, guid -> new EnumMap<>(RegisterKind.class))
                .merge(change.table, 1L, Long::sum);
        if (RegisterKind.SETTINGS.contains(change.table)) {
            settings.merge(change.entry, 1L, Long::sum);
        }
        if (count <= EXAMPLES) {
            examples.add(change);
        }
    }

    private void compare(DeviceRegisters before, DeviceRegisters after) {
        before.forEach((id, oldValue) -> {
            byte[] newValue = after.copy(id);
            if (newValue != null) {
                compare(before, id, oldValue, newValue);
            }
        });
        if (before.isSwitch()) {
            compareForwarding(before, after);
            compareGroups(before, after);
        }
    }

    private void compare(DeviceRegisters device, RegisterId id, byte[] before, byte[] after) {
        int attribute = id.attributeId();
        int portOfModifier = device.isSwitch() ? id.modifier() : id.port();
        if (attribute == PortInfo.TYPE.id()) {
            comparePort(device, id.modifier(), before, after);
        } else if (attribute == SwitchInfo.TYPE.id()) {
            compareFields(RegisterKind.SWITCH_INFO, device, 0, SWITCH_SETTINGS, before, after);
        } else if (attribute == SlToVlMappingTable.TYPE.id()) {
            compareRow(device, id, before, after);
        } else if (attribute == VlArbitrationTable.TYPE.id() && !pairs(before).equals(pairs(after))) {
            note(new Change(
                    RegisterKind.VL_ARBITRATION,
                    device.guid(),
                    portOfModifier & 0xffff,
                    "part " + (id.modifier() >>> 16),
                    pairs(before),
                    pairs(after)));
        } else if (attribute == PKeyTable.TYPE.id()) {
            PKeyTable oldKeys = PKeyTable.TYPE.read(before, 0);
            PKeyTable newKeys = PKeyTable.TYPE.read(after, 0);
            int portNum = device.isSwitch() ? id.modifier() >>> 16 : id.port();
            int first = (id.modifier() & 0xffff) * PKeyTable.KEYS_PER_BLOCK;
            for (int i = 0; i < PKeyTable.KEYS_PER_BLOCK; i++) {
                if (oldKeys.pKey(i) != newKeys.pKey(i)) {
                    note(new Change(
                            RegisterKind.P_KEY,
                            device.guid(),
                            portNum,
                            "index " + (first + i),
                            String.format("0x%04x", oldKeys.pKey(i)),
                            String.format("0x%04x", newKeys.pKey(i))));
                }
            }
        } else if (attribute == GuidInfo.TYPE.id()) {
            compareGuids(device, id, GuidInfo.TYPE.read(before, 0), GuidInfo.TYPE.read(after, 0));
        }
    }

    private void comparePort(DeviceRegisters device, int portNum, byte[] before, byte[] after) {
        boolean isEndport = !device.isSwitch() || portNum == 0;
        if (isEndport) {
            compareFields(RegisterKind.LID, device, portNum, ADDRESS, before, after);
            compareFields(RegisterKind.MASTER_SM, device, portNum, MASTER, before, after);
        }
        compareFields(RegisterKind.PORT_STATE, device, portNum, STATE, before, after);
        compareFields(RegisterKind.PORT_INFO, device, portNum, PORT_SETTINGS, before, after);
    }

    private void compareFields(
            RegisterKind table, DeviceRegisters device, int portNum, List<Field> fields, byte[] before, byte[] after) {
        for (Field field : fields) {
            long oldValue = field.get(before, 0);
            long newValue = field.get(after, 0);
            if (oldValue != newValue) {
                boolean isSecret = field.equals(PortInfo.M_KEY);
                note(new Change(
                        table,
                        device.guid(),
                        portNum,
                        field.name(),
                        isSecret ? "one" : Long.toString(oldValue),
                        isSecret ? "another" : Long.toString(newValue)));
            }
        }
    }

    private void compareRow(DeviceRegisters device, RegisterId id, byte[] before, byte[] after) {
        long oldTable = SlToVlMappingTable.ENTRIES.get(before, 0);
        long newTable = SlToVlMappingTable.ENTRIES.get(after, 0);
        if (oldTable != newTable) {
            int outPort = device.isSwitch() ? id.modifier() & 0xff : id.port();
            String entry = device.isSwitch() ? "from port " + (id.modifier() >>> 8 & 0xff) : "of the port";
            note(new Change(
                    RegisterKind.SL2VL,
                    device.guid(),
                    outPort,
                    entry,
                    String.format("%016x", oldTable),
                    String.format("%016x", newTable)));
        }
    }

    /** Returns the entries with a weight as {@code VL:WEIGHT,...}. */
    private static String pairs(byte[] value) {
        VlArbitrationTable table = VlArbitrationTable.TYPE.read(value, 0);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART; i++) {
            if (table.weight(i) != 0) {
                text.append(text.isEmpty() ? "" : ",")
                        .append(table.vl(i))
                        .append(':')
                        .append(table.weight(i));
            }
        }
        return text.isEmpty() ? "nothing" : text.toString();
    }

    private void compareGuids(DeviceRegisters device, RegisterId id, GuidInfo before, GuidInfo after) {
        for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
            if (before.guid(i) != after.guid(i)) {
                note(new Change(
                        RegisterKind.GUID,
                        device.guid(),
                        id.port(),
                        "index " + (id.modifier() * GuidInfo.GUIDS_PER_BLOCK + i),
                        String.format("0x%016x", before.guid(i)),
                        String.format("0x%016x", after.guid(i))));
            }
        }
    }

    private void compareForwarding(DeviceRegisters before, DeviceRegisters after) {
        SwitchInfo oldInfo = before.switchInfo();
        SwitchInfo newInfo = after.switchInfo();
        if (oldInfo == null || newInfo == null) {
            return;
        }
        int top = Math.max(oldInfo.linearFdbTop(), newInfo.linearFdbTop());
        for (int lid = Lids.UNICAST_FIRST; lid <= Math.min(top, Lids.UNICAST_LAST); lid++) {
            int oldPort = before.egress(lid);
            int newPort = after.egress(lid);
            if (oldPort != newPort && oldPort != DeviceRegisters.UNKNOWN && newPort != DeviceRegisters.UNKNOWN) {
                note(new Change(RegisterKind.LFT, before.guid(), 0, "LID " + lid, port(oldPort), port(newPort)));
            }
        }
    }

    private static String port(int portNum) {
        return portNum == LinearForwardingTable.NO_PATH ? "no port" : "port " + portNum;
    }

    private void compareGroups(DeviceRegisters before, DeviceRegisters after) {
        if (!before.has(MulticastForwardingTable.TYPE) || !after.has(MulticastForwardingTable.TYPE)) {
            return;
        }
        Set<Integer> mlids = new TreeSet<>(before.mlids());
        mlids.addAll(after.mlids());
        for (int mlid : mlids) {
            BitSet oldPorts = before.groupPorts(mlid);
            BitSet newPorts = after.groupPorts(mlid);
            if (!oldPorts.equals(newPorts)) {
                note(new Change(
                        RegisterKind.MFT,
                        before.guid(),
                        0,
                        String.format("MLID 0x%04x", mlid),
                        ports(oldPorts),
                        ports(newPorts)));
            }
        }
    }

    private static String ports(BitSet ports) {
        return ports.isEmpty() ? "no port" : "ports " + ports;
    }
}
