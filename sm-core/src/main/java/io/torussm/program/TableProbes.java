package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.multicast.MulticastRouter;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PortKeys;
import io.torussm.program.TableProbe.Difference;
import io.torussm.program.port.PartitionProgrammer;
import io.torussm.program.table.DeviceTables;
import io.torussm.view.QosTables;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The probes of one device: blocks of its forwarding and multicast tables, its SL2VL rows, VL arbitration and P_Key
 * tables, and the settings of its ports. MTU and VLs of links are omitted, because a working link cannot change them.
 * M_Keys are omitted, because a port may hide its M_Key.
 */
final class TableProbes {
    /** Bit of the AttributeModifier of MulticastForwardingTable from which on the position stands (IBA 14.2.5.12). */
    private static final int POSITION_SHIFT = 28;

    /** Bit of the AttributeModifiers of VLArbitrationTable (part) and P_KeyTable (port number). */
    private static final int PART_SHIFT = 16;

    private static final List<Field> ENDPORT_FIELDS = List.of(
            PortInfo.GID_PREFIX,
            PortInfo.LID,
            PortInfo.LMC,
            PortInfo.MASTER_SM_LID,
            PortInfo.MASTER_SM_SL,
            PortInfo.SUBNET_TIME_OUT);
    private static final List<Field> LINK_FIELDS = List.of(
            PortInfo.VL_HIGH_LIMIT,
            PortInfo.HOQ_LIFE,
            PortInfo.VL_STALL_COUNT,
            PortInfo.LOCAL_PHY_ERRORS,
            PortInfo.OVERRUN_ERRORS,
            PortInfo.PARTITION_ENFORCEMENT_INBOUND,
            PortInfo.PARTITION_ENFORCEMENT_OUTBOUND);

    private final Fabric fabric;
    private final int node;
    private final PartitionProgrammer partitions;
    private final List<TableProbe<?>> probes = new ArrayList<>();

    /**
     * Returns the probes of one device.
     *
     * @param held known tables of the device; null if unknown
     */
    static List<TableProbe<?>> of(
            Fabric fabric, int node, @Nullable DeviceTables held, PartitionProgrammer partitions) {
        TableProbes probes = new TableProbes(fabric, node, partitions);
        if (held != null) {
            probes.forwarding(held);
            probes.addRows(held);
            probes.arbitration(held);
            probes.multicast(held);
        }
        probes.addPorts();
        return probes.probes;
    }

    /** Returns the probe of the forwarding block that contains a LID; empty if the block is unknown. */
    static List<TableProbe<?>> ofBlock(
            Fabric fabric, int node, @Nullable DeviceTables held, PartitionProgrammer partitions, int lid) {
        TableProbes probes = new TableProbes(fabric, node, partitions);
        SwitchInfo info = fabric.node(node).switchInfo();
        if (held != null && info != null && lid <= info.linearFdbTop()) {
            probes.forwarding(held, lid / LinearForwardingTable.LIDS_PER_BLOCK, info.linearFdbTop());
        }
        return probes.probes;
    }

    private TableProbes(Fabric fabric, int node, PartitionProgrammer partitions) {
        this.fabric = fabric;
        this.node = node;
        this.partitions = partitions;
    }

    private DrPath path() {
        return fabric.node(node).path();
    }

    /** Adds the forwarding blocks up to LinearFDBTop, because LIDs above it are not forwarded. */
    private void forwarding(DeviceTables tables) {
        SwitchInfo info = fabric.node(node).switchInfo();
        if (info == null) {
            return;
        }
        for (int block = 0; block * LinearForwardingTable.LIDS_PER_BLOCK <= info.linearFdbTop(); block++) {
            forwarding(tables, block, info.linearFdbTop());
        }
    }

    private void forwarding(DeviceTables tables, int block, int topLid) {
        if (tables.knows(block)) {
            probes.add(new TableProbe<>(
                    LinearForwardingTable.TYPE,
                    path(),
                    block,
                    found -> forwarding(tables, block, topLid, found),
                    found -> tables.correctBlock(block, found)));
        }
    }

    private static @Nullable Difference forwarding(
            DeviceTables tables, int block, int topLid, LinearForwardingTable found) {
        int first = block * LinearForwardingTable.LIDS_PER_BLOCK;
        int skipped = block == 0 ? 1 : 0; // no port has LID 0, and devices need not store its entry
        int entries = Math.min(LinearForwardingTable.LIDS_PER_BLOCK, topLid + 1 - first) - skipped;
        return tables.knows(block)
                ? first(
                        entries,
                        i -> "LID " + (first + skipped + i),
                        i -> port(tables.entry(first + skipped + i) & 0xff),
                        i -> port(found.port(skipped + i)))
                : null;
    }

    /** Returns the first entry that differs, and the number of such entries; null if all are equal. */
    private static @Nullable Difference first(
            int entries, IntFunction<String> name, IntFunction<String> wanted, IntFunction<String> found) {
        int[] differing = IntStream.range(0, entries)
                .filter(i -> !wanted.apply(i).equals(found.apply(i)))
                .toArray();
        return differing.length == 0
                ? null
                : new Difference(
                        name.apply(differing[0]),
                        wanted.apply(differing[0]),
                        found.apply(differing[0]),
                        differing.length);
    }

    private static String port(int number) {
        return number == LinearForwardingTable.NO_PATH ? "no path" : "port " + number;
    }

    private void addRows(DeviceTables tables) {
        boolean isSwitch = fabric.isSwitch(node);
        for (int out = 0; out <= fabric.numPorts(node); out++) {
            for (int in = 0; in <= (isSwitch ? fabric.numPorts(node) : 0); in++) {
                if (tables.knowsRow(in, out)) {
                    probes.add(row(tables, in, out));
                }
            }
        }
    }

    private TableProbe<SlToVlMappingTable> row(DeviceTables tables, int in, int out) {
        boolean isSwitch = fabric.isSwitch(node);
        return new TableProbe<>(
                SlToVlMappingTable.TYPE,
                fabric.pathTo(fabric.port(node, out)),
                isSwitch ? in << 8 | out : 0,
                found -> {
                    long row = tables.row(in, out, found.packed());
                    return row == found.packed()
                            ? null
                            : new Difference(
                                    isSwitch ? "from port " + in + " to port " + out : "port " + out,
                                    String.format("VLs %016x", row),
                                    String.format("VLs %016x", found.packed()),
                                    1);
                },
                found -> tables.confirmRow(in, out, found.packed()));
    }

    private void arbitration(DeviceTables tables) {
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            for (int part = 1; part <= QosTables.PARTS; part++) {
                if (tables.vlArbitration(portNum, part) != null) {
                    probes.add(arbitration(tables, portNum, part));
                }
            }
        }
    }

    private TableProbe<VlArbitrationTable> arbitration(DeviceTables tables, int portNum, int part) {
        return new TableProbe<>(
                VlArbitrationTable.TYPE,
                fabric.pathTo(fabric.port(node, portNum)),
                part << PART_SHIFT | (fabric.isSwitch(node) ? portNum : 0),
                found -> {
                    VlArbitrationTable known = tables.vlArbitration(portNum, part);
                    return known == null
                            ? null
                            : first(
                                    VlArbitrationTable.ENTRIES_PER_PART,
                                    i -> "port " + portNum + " part " + part + " entry " + i,
                                    i -> "VL " + known.vl(i) + " weight " + known.weight(i),
                                    i -> "VL " + found.vl(i) + " weight " + found.weight(i));
                },
                found -> tables.setVlArbitration(portNum, part, found));
    }

    private void multicast(DeviceTables tables) {
        for (int block = 0; block < tables.multicastBlocks(); block++) {
            for (int position = 0; position <= fabric.numPorts(node) / MulticastRouter.PORTS_PER_POSITION; position++) {
                if (tables.multicast(block, position) != null) {
                    probes.add(multicast(tables, block, position));
                }
            }
        }
    }

    private TableProbe<MulticastForwardingTable> multicast(DeviceTables tables, int block, int position) {
        int mlid = MulticastView.FIRST_MLID + block * MulticastForwardingTable.MLIDS_PER_BLOCK;
        return new TableProbe<>(
                MulticastForwardingTable.TYPE,
                path(),
                position << POSITION_SHIFT | block,
                found -> {
                    MulticastForwardingTable known = tables.multicast(block, position);
                    return known == null
                            ? null
                            : first(
                                    MulticastForwardingTable.MLIDS_PER_BLOCK,
                                    i -> String.format(
                                            "MLID 0x%04x ports from %d",
                                            mlid + i, position * MulticastRouter.PORTS_PER_POSITION),
                                    i -> String.format("mask 0x%04x", known.mask(i)),
                                    i -> String.format("mask 0x%04x", found.mask(i)));
                },
                found -> tables.setMulticast(block, position, found));
    }

    private void addPorts() {
        for (int portNum = fabric.isSwitch(node) ? 0 : 1; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            PortInfo known = fabric.portInfo(port);
            if (known != null && (portNum == 0 || known.portState() == PortInfo.STATE_ACTIVE)) {
                settings(port, known);
                keys(port);
            }
        }
    }

    /** Adds the probe of the settings of a port. Its value is not recorded, because the next sweep reads PortInfo. */
    private void settings(int port, PortInfo known) {
        probes.add(new TableProbe<>(
                PortInfo.TYPE,
                fabric.pathTo(port),
                fabric.portInfoModifier(port),
                found -> settings(port, known, found),
                found -> {}));
    }

    private @Nullable Difference settings(int port, PortInfo known, PortInfo found) {
        if (found.portState() != known.portState()) {
            return null; // a changed link is left to sweeps
        }
        List<Field> fields = new ArrayList<>(fabric.isEndport(port) ? ENDPORT_FIELDS : List.of());
        if (fabric.portNum(port) > 0) {
            fields.addAll(LINK_FIELDS);
        }
        List<Field> differing = fields.stream()
                .filter(field -> known.get(field) != found.get(field))
                .toList();
        return differing.isEmpty()
                ? null
                : new Difference(
                        "port " + fabric.portNum(port) + " " + differing.get(0).name(),
                        String.valueOf(known.get(differing.get(0))),
                        String.valueOf(found.get(differing.get(0))),
                        differing.size());
    }

    private void keys(int port) {
        PortKeys known = partitions.knownTable(fabric.nodeGuid(node), fabric.portNum(port));
        if (known == null) {
            return;
        }
        int blocks = Math.max(1, (known.length() + PKeyTable.KEYS_PER_BLOCK - 1) / PKeyTable.KEYS_PER_BLOCK);
        for (int block = 0; block < blocks; block++) {
            int blockNumber = block;
            probes.add(new TableProbe<>(
                    PKeyTable.TYPE,
                    fabric.pathTo(port),
                    fabric.isSwitch(node) ? fabric.portNum(port) << PART_SHIFT | block : block,
                    found -> keys(port, blockNumber, found),
                    found -> partitions.correct(fabric.nodeGuid(node), fabric.portNum(port), blockNumber, found)));
        }
    }

    private @Nullable Difference keys(int port, int block, PKeyTable found) {
        PortKeys known = partitions.knownTable(fabric.nodeGuid(node), fabric.portNum(port));
        if (known == null) {
            return null;
        }
        PortKeys wanted = PortKeys.NONE.with(block, known.block(block));
        PortKeys keys = PortKeys.NONE.with(block, found);
        return wanted.equals(keys)
                ? null
                : new Difference(
                        "port " + fabric.portNum(port) + " block " + block, wanted.toString(), keys.toString(), 1);
    }
}
