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
 * The tables of a snapshot as input of a proof: LIDs, forwarding entries, SL2VL rows and groups, with SLs
 * from another source.
 */
public final class HeldRoutes {
    /** Limit of the pairs of end ports whose SLs are listed; a byte each. */
    private static final long MAX_PAIRS = 1L << 28;

    private static final int GROUP_WORDS = 4;

    private final FabricSnapshot snapshot;
    private final Names names;
    private final FabricTablesBuilder tables = new FabricTablesBuilder();
    private final List<EndPort> ends = new ArrayList<>();
    private final List<String> contradictions = new ArrayList<>();

    private record EndPort(long guid, int lid, int lmc) {}

    /** The SL with which a port sends to another. */
    @FunctionalInterface
    public interface Sls {
        /** Returns one SL for all pairs. */
        static Sls constant(int sl) {
            return new Constant(sl);
        }

        /** Returns the SL, or -1 for a pair that does not send. */
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
     * @param contradictions unusable contents, such as a LID that two ports have
     */
    public record Held(FabricTables tables, List<String> contradictions) {
        public Held {
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
     * @param sls SLs of senders; groups have SL 0
     */
    public static Held of(FabricSnapshot snapshot, Names names, Sls sls) {
        HeldRoutes routes = new HeldRoutes(snapshot, names);
        routes.addNodes();
        snapshot.devices().values().stream().filter(DeviceRegisters::isSwitch).forEach(routes::addTables);
        routes.addSls(sls);
        return new Held(routes.tables.build(), routes.contradictions);
    }

    /** Leaves out contradictory contents and notes them: a working fabric may have imperfect tables. */
    private void attempt(Runnable step) {
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
            attempt(() -> tables.cable(
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
            attempt(() -> {
                tables.lid(device.guid(), portNum, device.portGuid(portNum), info.lid(), info.lmc());
                ends.add(new EndPort(device.portGuid(portNum), info.lid(), info.lmc()));
            });
        }
    }

    private void addTables(DeviceRegisters sw) {
        int top = sw.switchInfo() == null ? 0 : sw.switchInfo().linearFdbTop();
        for (int each = 1; each <= Math.min(top, FabricTablesBuilder.TOP_LID); each++) {
            int lid = each;
            int port = sw.egress(lid);
            if (port != DeviceRegisters.UNKNOWN) {
                attempt(() -> tables.lft(sw.guid(), lid, port));
            }
        }
        sw.forEach((id, value) -> {
            if (id.attributeId() == SlToVlMappingTable.TYPE.id()) {
                long row = SlToVlMappingTable.ENTRIES.get(value, 0);
                attempt(() -> tables.row(sw.guid(), id.modifier() >>> Byte.SIZE & 0xff, id.modifier() & 0xff, row));
            }
        });
        for (int mlid : sw.mlids()) {
            BitSet ports = sw.groupPorts(mlid);
            long[] words = Arrays.copyOf(ports.toLongArray(), GROUP_WORDS);
            attempt(() -> tables.group(sw.guid(), mlid, words));
        }
    }

    private void addSls(Sls sls) {
        if (sls instanceof Constant constant) {
            tables.hostSl(constant.all);
            tables.switchSl(constant.all);
            return;
        }
        long lids = ends.stream().mapToLong(end -> 1L << end.lmc).sum();
        if (lids * ends.size() > MAX_PAIRS) {
            contradictions.add("the fabric has too many pairs to list their SLs; all are taken to use SL 0");
            tables.hostSl(0);
            tables.switchSl(0);
            return;
        }
        for (EndPort from : ends) {
            for (EndPort to : ends) {
                for (int lid = to.lid; lid < to.lid + (1 << to.lmc); lid++) {
                    int sl = from.equals(to) ? -1 : sls.sl(from.lid, lid);
                    if (sl >= 0) {
                        tables.sl(from.guid, lid, sl);
                    }
                }
            }
        }
    }
}
