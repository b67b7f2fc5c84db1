package io.torussm.daemon.shadow;

import io.torussm.conf.ConfLines;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.proof.FabricFiles;
import io.torussm.daemon.proof.FabricFiles.Role;
import io.torussm.daemon.tables.ForwardingLines;
import io.torussm.daemon.tables.GroupLines;
import io.torussm.daemon.tables.LinkLines;
import io.torussm.daemon.tables.Sl2VlLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.shadow.Twin;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.snapshot.RegisterId;
import io.torussm.transport.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The snapshot of a directory of dumps of OpenSM: links with LIDs ({@code opensm-subnet.lst}), and forwarding, SL2VL
 * and multicast tables, as far as dumped. The other registers have the values of usual hardware after power-up, with
 * active links, so the snapshot has no information about settings.
 */
final class DumpedSnapshot {
    private static final int PORTS_PER_POSITION = 16;
    private static final int POSITION_SHIFT = 28;
    private static final int DEFAULT_PARTITION_CAP = 64;

    /** Attributes that are complete in dumps. */
    private static final Set<Integer> COMPLETE_ATTRIBUTES =
            Set.of(NodeDescription.TYPE.id(), NodeInfo.TYPE.id(), SwitchInfo.TYPE.id());

    /** One link end of each device, by NodeGUID. */
    private final Map<Long, LinkLines.LinkEnd> nodes = new TreeMap<>(Long::compareUnsigned);

    private final Map<PortRef, LinkLines.LinkEnd> ends = new TreeMap<>();
    private final Map<Long, LinkLines.LinkEnd> byPortGuid = new HashMap<>();
    private final Set<Cable> cables = new TreeSet<>();

    /** Forwarding tables by NodeGUID: port by LID. */
    private final Map<Long, Map<Integer, Integer>> entries = new HashMap<>();

    /** Dumped registers by NodeGUID. */
    private final Map<Long, Map<RegisterId, byte[]>> registers = new HashMap<>();

    private DumpedSnapshot() {}

    /**
     * Reads a directory of dumps.
     *
     * @throws ConfigurationException if a file cannot be used; the message has the file and the line of the fault
     */
    static FabricSnapshot of(Path directory) throws ConfigurationException {
        FabricFiles files = new FabricFiles(Optional.of(directory), Map.of());
        DumpedSnapshot dump = new DumpedSnapshot();
        read(files, Role.LINKS, conf -> new LinkLines(conf, dump::link));
        read(
                files,
                Role.TABLES,
                conf -> new ForwardingLines(conf, (sw, lid, port, portGuid) -> dump.entries
                        .computeIfAbsent(sw, guid -> new HashMap<>())
                        .put(lid, port)));
        read(files, Role.SL2VL, conf -> new Sl2VlLines(conf, dump::row));
        read(files, Role.GROUPS, conf -> new GroupLines(conf, dump::group));
        try {
            return dump.snapshot(directory);
        } catch (TopologyException | IllegalArgumentException | IllegalStateException e) {
            throw new ConfigurationException(List.of(directory + " shows no fabric that can be: " + e.getMessage()));
        }
    }

    private static void read(FabricFiles files, Role role, Function<ConfLines, Consumer<String>> grammar)
            throws ConfigurationException {
        Path file = files.file(role).orElse(null);
        if (file == null) {
            return;
        }
        ConfLines conf = new ConfLines(file.toString(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        Consumer<String> lines = grammar.apply(conf);
        try (InputStream in = InputFile.open(file)) {
            conf.readDump(in, "it is no line of such a file", lines);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        if (!conf.isClean()) {
            throw new ConfigurationException(
                    conf.findings().stream().map(Finding::text).toList());
        }
    }

    private void link(LinkLines.LinkEnd one, LinkLines.LinkEnd other) {
        nodes.putIfAbsent(one.nodeGuid(), one);
        nodes.putIfAbsent(other.nodeGuid(), other);
        PortRef a = new PortRef(one.nodeGuid(), one.portNum());
        PortRef b = new PortRef(other.nodeGuid(), other.portNum());
        ends.put(a, one);
        ends.put(b, other);
        byPortGuid.put(one.portGuid(), one);
        byPortGuid.put(other.portGuid(), other);
        cables.add(Cable.between(a, b));
    }

    private void row(boolean isOfSwitch, long guid, int in, int out, int[] vls) {
        byte[] row = SlToVlMappingTable.of(SlToVlMappingTable.pack(vls)).toBytes();
        LinkLines.LinkEnd host = byPortGuid.get(guid);
        if (isOfSwitch) {
            table(guid).put(RegisterId.of(SlToVlMappingTable.TYPE, in << Byte.SIZE | out, 0), row);
        } else if (host != null) {
            table(host.nodeGuid()).put(RegisterId.of(SlToVlMappingTable.TYPE, 0, host.portNum()), row);
        }
    }

    private void group(long guid, int mlid, long[] ports) {
        int index = mlid - Lids.MULTICAST_FIRST;
        int block = index / MulticastForwardingTable.MLIDS_PER_BLOCK;
        int at = 2 * (index % MulticastForwardingTable.MLIDS_PER_BLOCK);
        LinkLines.LinkEnd node = nodes.get(guid);
        int positions = node == null ? 0 : node.ports() / PORTS_PER_POSITION + 1;
        for (int position = 0; position < positions; position++) {
            int first = position * PORTS_PER_POSITION;
            int mask = (int) (ports[first / Long.SIZE] >>> first % Long.SIZE) & 0xffff;
            RegisterId id = RegisterId.of(MulticastForwardingTable.TYPE, position << POSITION_SHIFT | block, 0);
            byte[] value = table(guid).computeIfAbsent(id, any -> new byte[DeviceRegisters.REGISTER_BYTES]);
            value[at] = (byte) (mask >> Byte.SIZE);
            value[at + 1] = (byte) mask;
        }
    }

    private Map<RegisterId, byte[]> table(long guid) {
        return registers.computeIfAbsent(guid, any -> new TreeMap<>());
    }

    private FabricSnapshot snapshot(Path directory) throws TopologyException {
        PortRef seat = ends.entrySet().stream()
                .filter(each -> !each.getValue().isSwitch())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("it has no host"));
        List<DeviceRegisters> bare = new ArrayList<>();
        nodes.values().forEach(node -> bare.add(afterPowerUp(node)));
        FabricSnapshot powered = Twin.of(new FabricSnapshot(Instant.EPOCH, seat, bare, cables, List.of(), List.of()))
                .read();
        FabricSnapshot dumped = powered.with(this::withDumpedTables);
        return new FabricSnapshot(
                lastModified(directory),
                dumped.local(),
                dumped.devices().values(),
                dumped.cables(),
                List.of(),
                List.of(
                        "read from dumps, in which there are no settings of ports, and neither VL arbitration, P_Keys nor GUIDs"));
    }

    private static Instant lastModified(Path directory) {
        try {
            return Files.getLastModifiedTime(directory).toInstant();
        } catch (IOException e) {
            return Instant.EPOCH;
        }
    }

    private DeviceRegisters afterPowerUp(LinkLines.LinkEnd node) {
        NodeInfo info = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.BASE_VERSION, 1)
                .with(NodeInfo.CLASS_VERSION, 1)
                .with(NodeInfo.NODE_TYPE, node.isSwitch() ? NodeInfo.SWITCH : NodeInfo.CHANNEL_ADAPTER)
                .with(NodeInfo.NUM_PORTS, node.ports())
                .with(NodeInfo.SYSTEM_IMAGE_GUID, node.nodeGuid())
                .with(NodeInfo.NODE_GUID, node.nodeGuid())
                .with(NodeInfo.PORT_GUID, node.portGuid())
                .with(NodeInfo.PARTITION_CAP, DEFAULT_PARTITION_CAP)
                .with(NodeInfo.LOCAL_PORT_NUM, node.isSwitch() ? 0 : node.portNum());
        int port = node.isSwitch() ? 0 : node.portNum();
        return new DeviceRegisters.Builder(info)
                .put(
                        RegisterId.of(NodeDescription.TYPE, 0, port),
                        NodeDescription.of(node.name()).toBytes())
                .build();
    }

    /**
     * Copies a device after power-up with LIDs, active links and the dumped tables. The other tables are removed,
     * because their contents are unknown.
     */
    private DeviceRegisters withDumpedTables(DeviceRegisters device) {
        DeviceRegisters.Builder builder = new DeviceRegisters.Builder(device.nodeInfo());
        device.forEach((id, value) -> {
            if (id.attributeId() == PortInfo.TYPE.id()) {
                builder.put(
                        id,
                        port(device, id.modifier(), PortInfo.TYPE.read(value, 0))
                                .toBytes());
            } else if (COMPLETE_ATTRIBUTES.contains(id.attributeId())) {
                builder.put(id, value);
            }
        });
        SwitchInfo info = device.switchInfo();
        if (info != null) {
            putForwarding(builder, info, entries.getOrDefault(device.guid(), Map.of()));
        }
        table(device.guid()).forEach(builder::put);
        return builder.build();
    }

    private PortInfo port(DeviceRegisters device, int portNum, PortInfo info) {
        LinkLines.LinkEnd end = portNum == 0 ? nodes.get(device.guid()) : ends.get(new PortRef(device.guid(), portNum));
        PortInfo active = info.isLinkUp() ? info.with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE) : info;
        return end != null && (portNum == 0 || !device.isSwitch()) ? active.with(PortInfo.LID, end.lid()) : active;
    }

    private static void putForwarding(DeviceRegisters.Builder builder, SwitchInfo info, Map<Integer, Integer> table) {
        int top = table.keySet().stream().mapToInt(Integer::intValue).max().orElse(0);
        builder.put(
                RegisterId.of(SwitchInfo.TYPE, 0, 0),
                info.with(SwitchInfo.LINEAR_FDB_TOP, top)
                        .with(SwitchInfo.PORT_STATE_CHANGE, 0)
                        .toBytes());
        byte[] block = new byte[DeviceRegisters.REGISTER_BYTES];
        for (int first = 0; first <= top; first += block.length) {
            Arrays.fill(block, LinearForwardingTable.NO_PATH_ENTRY);
            for (int i = 0; i < block.length; i++) {
                Integer port = table.get(first + i);
                block[i] = port == null ? block[i] : port.byteValue();
            }
            builder.put(RegisterId.of(LinearForwardingTable.TYPE, first / block.length, 0), block);
        }
    }
}
