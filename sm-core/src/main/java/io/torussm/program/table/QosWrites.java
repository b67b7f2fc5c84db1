package io.torussm.program.table;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.program.smp.SmpRequests;
import io.torussm.transport.SmpRequest;
import io.torussm.view.QosTables;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The programming of SL2VL and VL arbitration tables. Only entries that differ are written. An entry number of a device
 * is {@code in * ports + out} for the SL2VL row of an input and output port number. From {@code ports * ports} on it
 * denotes a part of VL arbitration tables, four for each port. Owner thread: the loop.
 */
final class QosWrites {
    private static final int PARTS = QosTables.PARTS;

    private final Fabric fabric;
    private final DeviceTables[] tables;
    private final SmpRequests requests;
    private final QosTarget wanted;
    private final IntPredicate isArbitrationUnread;

    /** Max number of ports of a device, port 0 included. */
    private final int ports;

    /**
     * Creates the writes for one plan.
     *
     * @param tables [node] known tables
     * @param isArbitrationUnread predicate of nodes whose VL arbitration tables are read later, and not written before
     */
    QosWrites(
            Fabric fabric,
            DeviceTables[] tables,
            SmpRequests requests,
            QosTarget wanted,
            IntPredicate isArbitrationUnread) {
        this.fabric = fabric;
        this.tables = tables;
        this.requests = requests;
        this.wanted = wanted;
        this.isArbitrationUnread = isArbitrationUnread;
        int max = 0;
        for (int node = 0; node < tables.length; node++) {
            max = Math.max(max, fabric.numPorts(node));
        }
        this.ports = max + 1;
    }

    /** Returns the wanted tables. */
    QosTarget wanted() {
        return wanted;
    }

    /** Returns the number of entries of the largest device. */
    int entries() {
        return ports * ports + PARTS * ports;
    }

    /** Returns the request that writes an entry; null if the entry is as wanted or does not exist. */
    @Nullable
    SmpRequest<?> write(int node, int entry) {
        int part = entry - ports * ports;
        return part < 0
                ? writeRow(node, entry / ports, entry % ports)
                : writeArbitration(node, part / PARTS, part % PARTS + 1);
    }

    /**
     * Returns the request that reads an unknown entry; null if the entry need not be read.
     *
     * @param all true to read all unknown entries; false to read only SL2VL rows after an unconfirmed write, because
     *     VL arbitration tables do not concern routing
     */
    @Nullable
    SmpRequest<?> read(int node, int entry, boolean all) {
        int part = entry - ports * ports;
        if (part >= 0) {
            return all && !isArbitrationUnread.test(node) && !tables[node].knowsVlArbitration(part)
                    ? readArbitration(node, part)
                    : null;
        }
        if (requests.hasGivenUpGets(node, SlToVlMappingTable.TYPE)) {
            return null;
        }
        int in = entry / ports;
        int out = entry % ports;
        boolean isDue = all ? !tables[node].knowsRow(in, out) : isRowInDoubt(node, in, out);
        return isDue ? readRow(node, in, out) : null;
    }

    /**
     * Checks whether a switch has a known SL2VL row that changes and that packets may use. Rows of links that are down
     * or in INITIALIZE change without effect on packets.
     */
    boolean isAnyRowChanged(int sw) {
        return isAnyRow(
                sw,
                (in, out, row) -> tables[sw].knowsRow(in, out)
                        && !tables[sw].holdsRow(in, out, row)
                        && mayCarryPackets(sw, in, out));
    }

    /** A predicate of an SL2VL row. */
    private interface RowTest {
        boolean holds(int in, int out, long row);
    }

    private boolean isAnyRow(int node, RowTest test) {
        for (int out = 0; out <= fabric.numPorts(node); out++) {
            int inputs = wanted.rowInputs(node, out);
            for (int in = 0; in < inputs; in++) {
                if (test.holds(in, out, wanted.row(node, in, out))) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Checks whether a write of an SL2VL row on which packets depend was not confirmed. */
    boolean isAnyRowInDoubt(int sw) {
        for (int in = 0; in <= fabric.numPorts(sw); in++) {
            for (int out = 0; out <= fabric.numPorts(sw); out++) {
                if (isRowInDoubt(sw, in, out) && wanted.hasRow(sw, in, out)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Checks whether all SL2VL rows of a device are known to be as wanted. */
    boolean areRowsWritten(int node) {
        return !isAnyRow(node, (in, out, row) -> !tables[node].holdsRow(in, out, row));
    }

    /** Checks whether all VL arbitration tables of a device are known to be as wanted. */
    boolean isArbitrationWritten(int node) {
        for (int out = 0; out <= fabric.numPorts(node); out++) {
            for (int part = 1; part <= PARTS; part++) {
                VlArbitrationTable table = wanted.arbitration(node, out, part);
                if (table != null && !holds(node, out, part, table)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Checks whether all entries of a device are known to be as wanted, except for those that are read later. */
    boolean isWritten(int node) {
        return areRowsWritten(node) && (isArbitrationUnread.test(node) || isArbitrationWritten(node));
    }

    /** Checks whether packets may use a row that is unknown. */
    private boolean isRowInDoubt(int node, int in, int out) {
        return fabric.isSwitch(node)
                && in <= fabric.numPorts(node)
                && out <= fabric.numPorts(node)
                && !tables[node].knowsRow(in, out)
                && mayCarryPackets(node, in, out);
    }

    /** Checks whether packets may currently pass from one port to the other, and use the row between them. */
    private boolean mayCarryPackets(int node, int in, int out) {
        return carriesData(fabric, fabric.port(node, in)) && carriesData(fabric, fabric.port(node, out));
    }

    private @Nullable SmpRequest<?> writeRow(int node, int in, int out) {
        if (!wanted.hasRow(node, in, out)) {
            return null;
        }
        DeviceTables held = tables[node];
        long row = wanted.row(node, in, out);
        if (held.holdsRow(in, out, row) || requests.hasGivenUpSets(node, SlToVlMappingTable.TYPE)) {
            return null;
        }
        held.invalidateRow(in, out);
        return requests.set(new RowWrite(node, in, out, row));
    }

    /** A Set of an SL2VL row. The proof relies on the rows of switches. */
    private final class RowWrite extends SmpRequests.Write<SlToVlMappingTable> {
        private final DeviceTables held;
        private final int in;
        private final int out;
        private final long row;

        RowWrite(int node, int in, int out, long row) {
            super(
                    requests,
                    node,
                    tables[node].rowTable(row),
                    fabric.pathTo(fabric.port(node, out)),
                    rowModifier(node, in, out),
                    fabric.isSwitch(node) ? SmpRequests.Harm.ROUTES : SmpRequests.Harm.DEVICE);
            this.held = tables[node];
            this.in = in;
            this.out = out;
            this.row = row;
        }

        @Override
        public void onConfirmation(SlToVlMappingTable current) {
            held.confirmRow(in, out, row);
        }
    }

    private @Nullable SmpRequest<?> readRow(int node, int in, int out) {
        return wanted.hasRow(node, in, out)
                ? requests.getAt(
                        SlToVlMappingTable.TYPE,
                        fabric.port(node, out),
                        rowModifier(node, in, out),
                        held -> tables[node].confirmRow(in, out, held.packed()))
                : null;
    }

    /** Returns the AttributeModifier of SLtoVLMappingTable (IBA 14.2.5.8); 0 for a host. */
    private int rowModifier(int node, int in, int out) {
        return fabric.isSwitch(node) ? in << 8 | out : 0;
    }

    private @Nullable SmpRequest<?> writeArbitration(int node, int portNum, int part) {
        VlArbitrationTable table = wanted.arbitration(node, portNum, part);
        DeviceTables held = tables[node];
        if (table == null
                || isArbitrationUnread.test(node)
                || holds(node, portNum, part, table)
                || requests.hasGivenUpSets(node, VlArbitrationTable.TYPE)) {
            return null;
        }
        held.setVlArbitration(portNum, part, null);
        return requests.set(new ArbitrationWrite(node, portNum, part, table));
    }

    /** A Set of a part of an arbitration table. A failure affects only packets that wait at the port. */
    private final class ArbitrationWrite extends SmpRequests.Write<VlArbitrationTable> {
        private final DeviceTables held;
        private final int portNum;
        private final int part;
        private final VlArbitrationTable table;

        ArbitrationWrite(int node, int portNum, int part, VlArbitrationTable table) {
            super(
                    requests,
                    node,
                    table,
                    fabric.pathTo(fabric.port(node, portNum)),
                    part << 16 | arbitrationPort(node, portNum),
                    SmpRequests.Harm.DEVICE);
            this.held = tables[node];
            this.portNum = portNum;
            this.part = part;
            this.table = table;
        }

        @Override
        public void onConfirmation(VlArbitrationTable current) {
            held.setVlArbitration(portNum, part, table);
        }
    }

    /**
     * Checks whether a part of VL arbitration tables is known to serve packets as wanted. VLs that are not in the
     * wanted tables carry no packets. Another SM may have written entries of such VLs, so they are ignored.
     */
    private boolean holds(int node, int portNum, int part, VlArbitrationTable table) {
        VlArbitrationTable held = tables[node].vlArbitration(portNum, part);
        if (held == null || table.equals(held)) {
            return held != null;
        }
        int vls = 0;
        for (int wantedPart = 1; wantedPart <= PARTS; wantedPart++) {
            VlArbitrationTable wantedTable = wanted.arbitration(node, portNum, wantedPart);
            vls |= wantedTable == null ? 0 : wantedTable.servedVls();
        }
        return table.isEquivalentFor(held, vls);
    }

    /** Returns the number of parts of VL arbitration tables of the largest device. */
    int arbitrationEntries() {
        return PARTS * ports;
    }

    /**
     * Returns the request that reads a part of VL arbitration tables; null if the port does not have it.
     *
     * @param entry 4 * port number + part - 1
     */
    @Nullable
    SmpRequest<?> readArbitration(int node, int entry) {
        int portNum = entry / PARTS;
        int part = entry % PARTS + 1;
        if (!wanted.hasArbitration(node, portNum, part) || requests.hasGivenUpGets(node, VlArbitrationTable.TYPE)) {
            return null;
        }
        int modifier = part << 16 | arbitrationPort(node, portNum);
        return requests.getAt(
                VlArbitrationTable.TYPE,
                fabric.port(node, portNum),
                modifier,
                held -> tables[node].setVlArbitration(portNum, part, held));
    }

    /** Returns the port number in the AttributeModifier of VLArbitrationTable; 0 for a host. */
    private int arbitrationPort(int node, int portNum) {
        return fabric.isSwitch(node) ? portNum : 0;
    }

    /** Checks whether data packets may pass a port, given by index. A port with unknown state may carry data. */
    static boolean carriesData(Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        return fabric.portNum(port) == 0 || info == null || info.isArmedOrActive();
    }
}
