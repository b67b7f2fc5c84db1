package io.torussm.shadow;

import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.names.Names;
import io.torussm.proof.FabricTables;
import io.torussm.proof.FabricTablesBuilder;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The conversion of the tables of a snapshot to the input of a proof: LIDs, forwarding entries, SL2VL rows and
 * multicast groups. The SLs of paths come from another source.
 */
public final class HeldRoutes {
    /** Max number of pairs of a source port and a destination LID whose SLs are listed, in a byte each. */
    private static final long MAX_PAIRS = 1L << 28;

    /** Words of 64 bits for a bit of each port number, 0 to 255. */
    private static final int GROUP_WORDS = 4;

    private final FabricSnapshot snapshot;
    private final Names names;
    private final FabricTablesBuilder tables = new FabricTablesBuilder();
    private final List<EndPort> endports = new ArrayList<>();
    private final List<String> contradictions = new ArrayList<>();

    private record EndPort(long guid, int lid, int lmc) {}

    /** The SL with which a port sends to another. */
    @FunctionalInterface
    public interface Sls {
        /** Returns one SL for all pairs. */
        static Sls constant(int sl) {
            return new Constant(sl);
        }

        /** Returns the SL of packets from one LID to another; -1 if none are sent. */
        int sl(int slid, int dlid);
    }

    private record Constant(int all) implements Sls {
        @Override
        public int sl(int slid, int dlid) {
            return all;
        }
    }

    /**
     * The usable part of a snapshot.
     *
     * @param tables tables of the snapshot
     * @param contradictions texts on unusable contents, such as a LID that two ports have
     */
    public record ConvertedTables(FabricTables tables, List<String> contradictions) {
        public ConvertedTables {
            contradictions = List.copyOf(contradictions);
        }
    }

    private HeldRoutes(FabricSnapshot snapshot, Names names) {
        this.snapshot = snapshot;
        this.names = names;
    }

    /**
     * Converts the tables of a snapshot.
     *
     * @param names configured names of nodes
     * @param sls SLs of paths; multicast groups have SL 0
     */
    public static ConvertedTables of(FabricSnapshot snapshot, Names names, Sls sls) {
        HeldRoutes routes = new HeldRoutes(snapshot, names);
        routes.addNodes();
        snapshot.devices().values().stream().filter(DeviceRegisters::isSwitch).forEach(routes::addTables);
        routes.addSls(sls);
        return new ConvertedTables(routes.tables.build(), routes.contradictions);
    }

    /** Adds contents to the tables; if they contradict others, records this, because real tables may be imperfect. */
    private void addOrNote(Runnable step) {
        try {
            step.run();
        } catch (IllegalArgumentException e) {
            contradictions.add(String.valueOf(e.getMessage()));
        }
    }

    private void addNodes() {
        snapshot.devices().forEach((guid, device) -> {
            String name = names.of(guid, device.description());
            tables.node(guid, device.nodeInfo().numPorts(), device.isSwitch(), name.isEmpty() ? hex(guid) : name);
        });
        for (Cable cable : snapshot.cables()) {
            addOrNote(() -> tables.addCable(
                    cable.a().nodeGuid(),
                    cable.a().portNum(),
                    cable.b().nodeGuid(),
                    cable.b().portNum()));
        }
        snapshot.devices().forEach((guid, device) -> device.endports().forEach(portNum -> addLids(device, portNum)));
    }

    private static String hex(long guid) {
        return String.format("0x%016x", guid);
    }

    private void addLids(DeviceRegisters device, int portNum) {
        PortInfo info = device.portInfo(portNum);
        if (info != null && info.lid() != 0) {
            addOrNote(() -> {
                tables.setLid(device.guid(), portNum, device.portGuid(portNum), info.lid(), info.lmc());
                endports.add(new EndPort(device.portGuid(portNum), info.lid(), info.lmc()));
            });
        }
    }

    private void addTables(DeviceRegisters sw) {
        int top = sw.switchInfo() == null ? 0 : sw.switchInfo().linearFdbTop();
        for (int each = 1; each <= Math.min(top, FabricTablesBuilder.TOP_LID); each++) {
            int lid = each;
            int port = sw.egress(lid);
            if (port != DeviceRegisters.UNKNOWN) {
                addOrNote(() -> tables.setEntry(sw.guid(), lid, port));
            }
        }
        sw.forEach((id, value) -> {
            if (id.attributeId() == SlToVlMappingTable.TYPE.id()) {
                long row = SlToVlMappingTable.ENTRIES.get(value, 0);
                addOrNote(
                        () -> tables.setRow(sw.guid(), id.modifier() >>> Byte.SIZE & 0xff, id.modifier() & 0xff, row));
            }
        });
        for (int mlid : sw.mlids()) {
            BitSet ports = sw.groupPorts(mlid);
            long[] words = Arrays.copyOf(ports.toLongArray(), GROUP_WORDS);
            addOrNote(() -> tables.addGroupPorts(sw.guid(), mlid, words));
        }
    }

    private void addSls(Sls sls) {
        if (sls instanceof Constant constant) {
            tables.setHostSl(constant.all);
            tables.setSwitchSl(constant.all);
            return;
        }
        long lids = endports.stream().mapToLong(end -> 1L << end.lmc).sum();
        if (lids * endports.size() > MAX_PAIRS) {
            contradictions.add("the fabric has too many pairs to list their SLs; all are taken to use SL 0");
            tables.setHostSl(0);
            tables.setSwitchSl(0);
            return;
        }
        for (EndPort source : endports) {
            for (EndPort destination : endports) {
                for (int lid = destination.lid; lid < destination.lid + (1 << destination.lmc); lid++) {
                    int sl = source.equals(destination) ? -1 : sls.sl(source.lid, lid);
                    if (sl >= 0) {
                        tables.setPairSl(source.guid, lid, sl);
                    }
                }
            }
        }
    }
}
