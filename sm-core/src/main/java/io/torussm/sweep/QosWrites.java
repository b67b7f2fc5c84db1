package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.RoutingPlan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LinkSettings;
import io.torussm.transport.SmpRequest;
import org.jspecify.annotations.Nullable;

/**
 * Brings the SL2VL and VL arbitration tables of devices to what a plan and the QoS settings say, and writes only what
 * differs. Entries of a device have numbers: SL2VL rows by input and output port first, then the four parts of each
 * port's VL arbitration tables.
 */
final class QosWrites {
    private static final int PARTS = 4;

    private final Fabric fabric;
    private final DeviceTables[] tables;
    private final SmpRequests requests;
    private final RoutingPlan plan;
    private final VlArbitrationPolicy vlArbitration;
    private final LinkSettings links;
    private final int ports;

    /**
     * Writes for one plan.
     *
     * @param tables by node
     */
    QosWrites(
            DeviceTables[] tables,
            SmpRequests requests,
            RoutingPlan plan,
            VlArbitrationPolicy vlArbitration,
            LinkSettings links) {
        this.fabric = plan.subnet().fabric();
        this.tables = tables;
        this.requests = requests;
        this.plan = plan;
        this.vlArbitration = vlArbitration;
        this.links = links;
        int most = 0;
        for (int node = 0; node < tables.length; node++) {
            most = Math.max(most, fabric.numPorts(node));
        }
        this.ports = most + 1;
    }

    /** Entries that the largest device can have. */
    int entries() {
        return ports * ports + PARTS * ports;
    }

    /** Writes an entry, if it differs. */
    @Nullable
    SmpRequest<?> write(int node, int entry) {
        int part = entry - ports * ports;
        return part < 0
                ? writeRow(node, entry / ports, entry % ports)
                : writeArbitration(node, part / PARTS, part % PARTS + 1);
    }

    /**
     * Reads an entry; only an SL2VL row of which a write was not confirmed, unless {@code all}. What arbitration tables
     * hold is of no concern to routing.
     */
    @Nullable
    SmpRequest<?> read(int node, int entry, boolean all) {
        int part = entry - ports * ports;
        if (part >= 0) {
            return all ? readArbitration(node, part / PARTS, part % PARTS + 1) : null;
        }
        int in = entry / ports;
        int out = entry % ports;
        return all || isRowInDoubt(node, in, out) ? readRow(node, in, out) : null;
    }

    /** Whether a switch is known to hold an SL2VL row that is to change. */
    boolean isAnyRowChanged(int sw) {
        for (int in = 0; in <= fabric.numPorts(sw); in++) {
            for (int out = 0; out <= fabric.numPorts(sw); out++) {
                if (hasRow(sw, in, out)
                        && tables[sw].knowsRow(in, out)
                        && !tables[sw].holdsRow(in, out, row(sw, in, out))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isRowInDoubt(int node, int in, int out) {
        return fabric.isSwitch(node)
                && in <= fabric.numPorts(node)
                && out <= fabric.numPorts(node)
                && carriesData(fabric, fabric.port(node, in))
                && carriesData(fabric, fabric.port(node, out))
                && !tables[node].knowsRow(in, out);
    }

    private @Nullable SmpRequest<?> writeRow(int node, int in, int out) {
        if (!hasRow(node, in, out)) {
            return null;
        }
        DeviceTables held = tables[node];
        long wanted = row(node, in, out);
        if (held.holdsRow(in, out, wanted)) {
            return null;
        }
        held.writingRow(in, out);
        return requests.setAt(
                fabric.port(node, out),
                SlToVlMappingTable.of(wanted),
                rowModifier(node, in, out),
                answer -> held.confirmedRow(in, out, wanted));
    }

    private @Nullable SmpRequest<?> readRow(int node, int in, int out) {
        return hasRow(node, in, out)
                ? requests.getAt(
                        SlToVlMappingTable.TYPE,
                        fabric.port(node, out),
                        rowModifier(node, in, out),
                        held -> tables[node].confirmedRow(in, out, held.packed()))
                : null;
    }

    /** Switches have a row for each linked output and every input, end ports one table, kept under output port. */
    private boolean hasRow(int node, int in, int out) {
        if (in > fabric.numPorts(node) || out > fabric.numPorts(node)) {
            return false;
        }
        PortInfo port = fabric.portInfo(fabric.port(node, out));
        if (!fabric.isSwitch(node)) {
            return in == 0
                    && out > 0
                    && port != null
                    && port.can(PortInfo.CAP_SL_MAPPING)
                    && fabric.peer(fabric.port(node, out)) != Fabric.NONE;
        }
        PortInfo port0 = fabric.portInfo(fabric.port(node, 0));
        SwitchInfo info = fabric.node(node).switchInfo();
        boolean isUsed =
                out == 0 ? info != null && info.enhancedPort0() : fabric.peer(fabric.port(node, out)) != Fabric.NONE;
        return isUsed && port0 != null && port0.can(PortInfo.CAP_SL_MAPPING);
    }

    private long row(int node, int in, int out) {
        int port = fabric.port(node, out);
        long wanted = fabric.isSwitch(node) ? plan.sl2vl(node, in, out) : plan.sl2vl(port);
        return LinkSettings.foldRow(wanted, links.operationalVls(fabric, port));
    }

    private int rowModifier(int node, int in, int out) {
        return fabric.isSwitch(node) ? in << 8 | out : 0;
    }

    private @Nullable SmpRequest<?> writeArbitration(int node, int portNum, int part) {
        PortInfo info = arbitrated(node, portNum, part);
        if (info == null) {
            return null;
        }
        int port = fabric.port(node, portNum);
        VlArbitrationPolicy.Tables wanted = PortClasses.tables(plan, vlArbitration, links, port, info);
        VlArbitrationTable table =
                switch (part) {
                    case 1 -> wanted.low0();
                    case 2 -> wanted.low1();
                    case 3 -> wanted.high0();
                    default -> wanted.high1();
                };
        DeviceTables held = tables[node];
        if (held.holdsVlArbitration(portNum, part, table)) {
            return null;
        }
        held.confirmedVlArbitration(portNum, part, null);
        return requests.setAt(
                port,
                table,
                part << 16 | arbitrationPort(node, portNum),
                answer -> held.confirmedVlArbitration(portNum, part, table));
    }

    private @Nullable SmpRequest<?> readArbitration(int node, int portNum, int part) {
        if (arbitrated(node, portNum, part) == null) {
            return null;
        }
        int modifier = part << 16 | arbitrationPort(node, portNum);
        return requests.getAt(
                VlArbitrationTable.TYPE,
                fabric.port(node, portNum),
                modifier,
                held -> tables[node].confirmedVlArbitration(portNum, part, held));
    }

    private int arbitrationPort(int node, int portNum) {
        return fabric.isSwitch(node) ? portNum : 0;
    }

    /** PortInfo of a port whose device holds this part of a VL arbitration table; null if it does not. */
    private @Nullable PortInfo arbitrated(int node, int portNum, int part) {
        if (portNum == 0 || portNum > fabric.numPorts(node)) {
            return null;
        }
        PortInfo info = fabric.portInfo(fabric.port(node, portNum));
        if (info == null || info.vlCap() <= 1 || fabric.peer(fabric.port(node, portNum)) == Fabric.NONE) {
            return null;
        }
        int cap = part <= 2 ? info.vlArbitrationLowCap() : info.vlArbitrationHighCap();
        boolean isSecondHalf = part % 2 == 0;
        return cap > (isSecondHalf ? VlArbitrationTable.ENTRIES_PER_PART : 0) ? info : null;
    }

    /** Whether data packets may pass a port. */
    static boolean carriesData(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        return fabric.portNum(port) == 0 || info == null || info.portState() > PortInfo.STATE_INITIALIZE;
    }
}
