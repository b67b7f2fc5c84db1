package io.torussm.shadow;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.Manager;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.snapshot.RegisterId;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reading of the registers of all discovered devices, except those that discovery reads. An instance is used once.
 * Owner thread: the loop.
 *
 * <p>SL2VL is read for pairs of ports with trained links. If a switch does not support MulticastFDBTop, its multicast
 * table is read up to {@value #MAX_EMPTY_BLOCKS} consecutive empty blocks, because groups have the lowest MLIDs and a
 * full table has thousands of blocks.
 */
final class RegisterReading {
    private static final int MAX_EMPTY_BLOCKS = 4;
    private static final int PORTS_PER_POSITION = 16;

    /**
     * Number of consecutive unanswered requests, each with all its retries, after which no more are sent to a device.
     */
    private static final int MAX_UNANSWERED = 3;

    /** Number of parts of VL arbitration: 1 and 2 of the low-priority table, 3 and 4 of the high-priority one. */
    private static final int VL_PARTS = 4;

    private final Fabric fabric;
    private final MadScope scope;

    /** The read registers {@code [node]}. */
    private final DeviceRegisters.Builder[] devices;

    /** Number of consecutive unanswered requests {@code [node]}. */
    private final int[] unanswered;

    /** The selection of registers to read. */
    enum Depth {
        /** All registers. */
        ALL,
        /** Linear forwarding tables only, which shows early whether they are complete. */
        FORWARDING
    }

    private final Depth depth;

    RegisterReading(Fabric fabric, MadScope scope, Depth depth) {
        this.fabric = fabric;
        this.scope = scope;
        this.depth = depth;
        devices = new DeviceRegisters.Builder[fabric.nodeCount()];
        unanswered = new int[devices.length];
        for (int node = 0; node < devices.length; node++) {
            devices[node] = discovered(node);
        }
    }

    /** Returns the registers of a node that discovery read. */
    private DeviceRegisters.Builder discovered(int node) {
        Fabric.Node known = fabric.node(node);
        DeviceRegisters.Builder builder = new DeviceRegisters.Builder(known.info());
        if (depth == Depth.FORWARDING) { // not read again, but a new device is to have a name
            NodeDescription description = NodeDescription.of(known.description());
            builder.put(RegisterId.of(NodeDescription.TYPE, 0, 0), description.toBytes());
        }
        SwitchInfo switchInfo = known.switchInfo();
        if (switchInfo != null) {
            builder.put(RegisterId.of(SwitchInfo.TYPE, 0, 0), switchInfo.toBytes());
        }
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            int own = fabric.isSwitch(node) ? 0 : portNum;
            PortInfo info = fabric.portInfo(port);
            if (info != null) {
                builder.put(RegisterId.of(PortInfo.TYPE, portNum, own), info.toBytes());
            }
            if (fabric.isEndport(port) && fabric.portGuid(port) != 0) {
                NodeInfo nodeInfo = known.info()
                        .with(NodeInfo.PORT_GUID, fabric.portGuid(port))
                        .with(NodeInfo.LOCAL_PORT_NUM, portNum);
                builder.put(RegisterId.of(NodeInfo.TYPE, 0, own), nodeInfo.toBytes());
            }
        }
        return builder;
    }

    /** Begins the reading; when all is read, the scope is idle. */
    void start() {
        for (int node = 0; node < devices.length; node++) {
            int device = node;
            scope.pull(requests(device)
                    .filter(request -> unanswered[device] < MAX_UNANSWERED)
                    .iterator());
            if (depth == Depth.ALL && fabric.isSwitch(device) && fabric.hasMulticast(device)) {
                new MulticastReading(device).readNextBlock();
            }
        }
    }

    private Stream<SmpRequest<?>> requests(int node) {
        if (depth == Depth.FORWARDING) {
            return fabric.isSwitch(node) ? forwarding(node) : Stream.empty();
        }
        Stream<SmpRequest<?>> description = Stream.of(get(node, NodeDescription.TYPE, 0, 0, path(node, 0)));
        Stream<SmpRequest<?>> endports = IntStream.rangeClosed(0, fabric.numPorts(node))
                .filter(portNum -> fabric.isEndport(fabric.port(node, portNum)))
                .boxed()
                .flatMap(portNum -> ofEndport(node, portNum));
        return Stream.of(description, endports, fabric.isSwitch(node) ? ofSwitch(node) : Stream.<SmpRequest<?>>empty())
                .flatMap(requests -> requests);
    }

    private Stream<SmpRequest<?>> ofEndport(int node, int portNum) {
        PortInfo info = fabric.portInfo(fabric.port(node, portNum));
        int own = fabric.isSwitch(node) ? 0 : portNum;
        DrPath path = path(node, portNum);
        int guids = info == null ? 0 : blocks((int) info.get(PortInfo.GUID_CAP), GuidInfo.GUIDS_PER_BLOCK);
        int keys = blocks(fabric.node(node).info().partitionCap(), PKeyTable.KEYS_PER_BLOCK);
        Stream<SmpRequest<?>> common = Stream.concat(
                IntStream.range(0, guids).mapToObj(block -> get(node, GuidInfo.TYPE, block, own, path)),
                IntStream.range(0, keys).mapToObj(block -> get(node, PKeyTable.TYPE, block, own, path)));
        if (fabric.isSwitch(node)) {
            return common;
        }
        boolean hasSls = info != null && info.hasCapability(PortInfo.CAP_SL_MAPPING);
        return Stream.of(
                        common,
                        arbitration(node, portNum, portNum, 0, path),
                        hasSls
                                ? Stream.of(get(node, SlToVlMappingTable.TYPE, 0, portNum, path))
                                : Stream.<SmpRequest<?>>empty())
                .flatMap(requests -> requests);
    }

    private Stream<SmpRequest<?>> ofSwitch(int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        DrPath path = path(sw, 0);
        int[] linked = IntStream.rangeClosed(1, fabric.numPorts(sw))
                .filter(portNum -> isUp(fabric.port(sw, portNum)))
                .toArray();
        int keys = info == null
                ? 0
                : blocks((int) info.get(SwitchInfo.PARTITION_ENFORCEMENT_CAP), PKeyTable.KEYS_PER_BLOCK);
        PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
        boolean hasSls = port0 != null && port0.hasCapability(PortInfo.CAP_SL_MAPPING);
        boolean isEnhanced = info != null && info.enhancedPort0();
        Stream<SmpRequest<?>> ofPorts = Arrays.stream(linked)
                .boxed()
                .flatMap(portNum -> Stream.concat(
                        arbitration(sw, portNum, 0, portNum, path),
                        IntStream.range(0, keys)
                                .mapToObj(block -> get(sw, PKeyTable.TYPE, portNum << 16 | block, 0, path))));
        Stream<SmpRequest<?>> rows = !hasSls
                ? Stream.empty()
                : IntStream.concat(IntStream.of(0), Arrays.stream(linked))
                        .boxed()
                        .flatMap(in -> IntStream.concat(
                                        isEnhanced ? IntStream.of(0) : IntStream.empty(), Arrays.stream(linked))
                                .mapToObj(out -> get(sw, SlToVlMappingTable.TYPE, in << 8 | out, 0, path)));
        return Stream.of(forwarding(sw), rows, ofPorts).flatMap(requests -> requests);
    }

    private Stream<SmpRequest<?>> forwarding(int sw) {
        SwitchInfo info = fabric.node(sw).switchInfo();
        int blocks = info == null ? 0 : info.linearFdbTop() / LinearForwardingTable.LIDS_PER_BLOCK + 1;
        return IntStream.range(0, blocks).mapToObj(block -> get(sw, LinearForwardingTable.TYPE, block, 0, path(sw, 0)));
    }

    private static int blocks(int entries, int perBlock) {
        return (entries + perBlock - 1) / perBlock;
    }

    private boolean isUp(int port) {
        PortInfo info = fabric.portInfo(port);
        return info != null && info.isLinkUp();
    }

    /**
     * Returns the requests for the existing parts of the VL arbitration table of a port.
     *
     * @param own number of the port in {@link RegisterId}
     * @param modifier lower 16 bits of the AttributeModifier
     */
    private Stream<SmpRequest<?>> arbitration(int node, int portNum, int own, int modifier, DrPath path) {
        PortInfo info = fabric.portInfo(fabric.port(node, portNum));
        if (info == null) {
            return Stream.empty();
        }
        return IntStream.rangeClosed(1, VL_PARTS)
                .filter(part -> {
                    int cap = part <= 2 ? info.vlArbitrationLowCap() : info.vlArbitrationHighCap();
                    return cap > (part - 1) % 2 * VlArbitrationTable.ENTRIES_PER_PART;
                })
                .mapToObj(part -> get(node, VlArbitrationTable.TYPE, part << 16 | modifier, own, path));
    }

    private DrPath path(int node, int portNum) {
        return fabric.pathTo(fabric.port(node, portNum));
    }

    private <A extends Attribute<A>> SmpRequest<A> get(
            int node, AttributeType<A> type, int modifier, int own, DrPath path) {
        RegisterId id = RegisterId.of(type, modifier, own);
        return SmpRequest.get(type, path, modifier, outcome -> store(node, id, outcome));
    }

    /** Stores the value of a register, or the reason why it could not be read; returns null without a value. */
    private <A extends Attribute<A>> byte @Nullable [] store(int node, RegisterId id, Outcome<A> outcome) {
        if (outcome instanceof Outcome.Reply<A> reply) {
            byte[] value = reply.value().toBytes();
            devices[node].put(id, value);
            unanswered[node] = 0;
            return value;
        } else if (outcome instanceof Outcome.Failure<A> failure
                && failure.reason() != Outcome.FailureReason.CANCELLED) {
            boolean isRefused = failure.reason() == Outcome.FailureReason.BAD_STATUS;
            devices[node].putFailure(id, isRefused ? failure.status() : DeviceRegisters.NO_ANSWER);
            unanswered[node] = isRefused ? 0 : unanswered[node] + 1;
        }
        return null;
    }

    /**
     * The reading of the multicast table of a switch, block by block, because each answer determines whether
     * to continue.
     */
    private final class MulticastReading {
        private final int sw;
        private final int positions;
        private final int blocks;
        private final boolean hasTop;

        /** Number of the next block. */
        private int block;

        /** Number of consecutive empty blocks, the present one included until an entry is found. */
        private int emptyBlocks;

        /** Number of pending requests of the present block, one for each position (16 ports). */
        private int pending;

        MulticastReading(int sw) {
            this.sw = sw;
            positions = fabric.numPorts(sw) / PORTS_PER_POSITION + 1;
            SwitchInfo info = fabric.node(sw).switchInfo();
            PortInfo port0 = fabric.portInfo(fabric.port(sw, 0));
            hasTop = port0 != null && port0.hasCapability(PortInfo.CAP_MULTICAST_FDB_TOP);
            int top = info == null ? 0 : (int) info.get(SwitchInfo.MULTICAST_FDB_TOP);
            int entries = info == null ? 0 : info.multicastFdbCap();
            int used = hasTop ? Math.min(entries, Math.max(0, top - Lids.MULTICAST_FIRST + 1)) : entries;
            blocks = RegisterReading.blocks(used, MulticastForwardingTable.MLIDS_PER_BLOCK);
        }

        void readNextBlock() {
            if (block >= blocks || (!hasTop && emptyBlocks >= MAX_EMPTY_BLOCKS) || unanswered[sw] >= MAX_UNANSWERED) {
                return;
            }
            int asked = block++;
            emptyBlocks++;
            pending = positions;
            for (int position = 0; position < positions; position++) {
                RegisterId id = RegisterId.of(MulticastForwardingTable.TYPE, position << 28 | asked, 0);
                scope.get(MulticastForwardingTable.TYPE, path(sw, 0), id.modifier(), outcome -> onBlock(id, outcome));
            }
        }

        private void onBlock(RegisterId id, Outcome<MulticastForwardingTable> outcome) {
            byte[] value = store(sw, id, outcome);
            if (value != null && !Arrays.equals(value, new byte[value.length])) {
                emptyBlocks = 0;
            }
            pending--;
            if (pending == 0) {
                readNextBlock();
            }
        }
    }

    /** Returns the snapshot of all read registers. */
    FabricSnapshot snapshot(Instant at, List<Manager> managers, List<String> notes) {
        List<DeviceRegisters> read = new ArrayList<>();
        Set<Cable> cables = new TreeSet<>();
        for (DeviceRegisters.Builder device : devices) {
            read.add(device.build());
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE) {
                cables.add(Cable.between(ref(port), ref(far)));
            }
        }
        return new FabricSnapshot(at, ref(fabric.localPort()), read, cables, managers, notes);
    }

    private PortRef ref(int port) {
        return new PortRef(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }
}
