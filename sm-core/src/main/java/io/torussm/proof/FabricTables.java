package io.torussm.proof;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import java.util.Arrays;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A fabric as files describe it: switches, end ports, cables, and the tables of switches. Immutable; a {@link
 * FabricTablesBuilder} makes it.
 *
 * <p>Ports of switches have dense indexes: those of switch {@code s} are {@code firstPort[s]} (its port 0) to {@code
 * firstPort[s + 1] - 1}. End ports are all ports 0 of switches, and the ports of hosts that a file names; they have
 * indexes of their own.
 */
public final class FabricTables {
    /** The index that stands for no switch, port or LID. */
    static final int NONE = -1;

    /** The VL on which packets are discarded. */
    static final int DROP_VL = 15;

    /** The row that maps every SL to the VL of its number. */
    static final long IDENTITY = 0x0123456789abcdefL;

    private static final int SLS = 16;
    final int switchCount;
    final long[] switchGuid;
    final String[] switchName;

    /** [switch] index of its port 0; one element more than switches. */
    final int[] firstPort;

    /** [port index] port index of the switch at the far end of the cable; {@link #NONE} without one. */
    final int[] farPort;

    /** [port index] switch at the far end of the cable; {@link #NONE} without one. */
    final int[] farSwitch;

    /** [port index] end port that is this port 0, or is attached to this port; {@link #NONE} without one. */
    final int[] endport;

    final EndPort[] endports;

    /** [LID] index of the end port; {@link #NONE} for an unassigned LID. */
    final int[] endportOfLid;

    /** [switch][LID] egress port number, 0xFF without an entry; LIDs beyond the array have no entry. */
    private final byte[][] lfts;

    /** [switch][input port number * ports + output port number] packed row; null if all rows are {@link #IDENTITY}. */
    private final long[] @Nullable [] rows;

    private final ListedSls sls;

    /** By MLID: [switch] four words with a bit for each port; null for a switch without an entry. */
    final SortedMap<Integer, long[] @Nullable []> groups;

    /** SLs of groups (bit n: SL n). */
    private final int groupSls;

    private final long assumedRows;

    /**
     * A port of a host, or port 0 of a switch.
     *
     * @param nodeGuid NodeGUID of the node
     * @param portGuid PortGUID; the NodeGUID if no PortGUID is known
     * @param name name of the node
     * @param portNum port number at the node
     * @param sw the switch of port 0, or to which the port is attached; -1 without one
     * @param switchPort number of the egress port of this switch to the end port
     * @param farHost index of the host's end port at the far end of the cable; -1 if that end is no host
     * @param isSwitch whether the end port is port 0 of a switch
     */
    public record EndPort(
            long nodeGuid,
            long portGuid,
            String name,
            int portNum,
            int sw,
            int switchPort,
            int farHost,
            boolean isSwitch) {}

    FabricTables(
            long[] switchGuid,
            String[] switchName,
            int[] firstPort,
            int[] farPort,
            EndPort[] endports,
            int[] endportOfLid,
            byte[][] lfts,
            long[] @Nullable [] rows,
            ListedSls sls,
            SortedMap<Integer, long[] @Nullable []> groups,
            int groupSls,
            long assumedRows) {
        this.switchCount = switchGuid.length;
        this.switchGuid = switchGuid;
        this.switchName = switchName;
        this.firstPort = firstPort;
        this.farPort = farPort;
        this.endports = endports;
        this.endportOfLid = endportOfLid;
        this.lfts = lfts;
        this.rows = rows;
        this.sls = sls;
        this.groups = groups;
        this.groupSls = groupSls;
        this.assumedRows = assumedRows;
        farSwitch = new int[farPort.length];
        Arrays.setAll(farSwitch, port -> farPort[port] == NONE ? NONE : switchOf(farPort[port]));
        endport = new int[farPort.length];
        Arrays.fill(endport, NONE);
        for (int end = 0; end < endports.length; end++) {
            if (endports[end].sw() != NONE) {
                endport[firstPort[endports[end].sw()] + endports[end].switchPort()] = end;
            }
        }
    }

    /** Returns the number of switches. */
    public int switchCount() {
        return switchCount;
    }

    /** Returns the number of ports of hosts. */
    public int hostPortCount() {
        return (int) Arrays.stream(endports).filter(end -> !end.isSwitch()).count();
    }

    /** Returns the number of groups with an entry at any switch. */
    public int groupCount() {
        return groups.size();
    }

    /** Checks whether the SLs of packets from and to ports 0 of switches are known. */
    public boolean hasSwitchSls() {
        return sls.hasSwitchSls();
    }

    /**
     * Returns the number of SL2VL rows between ports with a peer that no file contains. Such a row is assumed to map
     * every SL to the VL of its number.
     */
    public long assumedRows() {
        return assumedRows;
    }

    /** Returns the number of ports of a switch, port 0 included. */
    int ports(int sw) {
        return firstPort[sw + 1] - firstPort[sw];
    }

    int topLid() {
        return endportOfLid.length - 1;
    }

    /** Returns the egress port number of a switch for a LID; 255 without an entry. */
    int lft(int sw, int lid) {
        return lid < lfts[sw].length ? lfts[sw][lid] & 0xff : LinearForwardingTable.NO_PATH;
    }

    /**
     * Returns the index of the port by which a switch forwards a LID to another switch; {@link #NONE} if the entry
     * leads to no switch.
     */
    int linkTo(int sw, int lid) {
        int out = lft(sw, lid);
        int port = firstPort[sw] + out;
        return out != 0 && port < firstPort[sw + 1] && farPort[port] != NONE ? port : NONE;
    }

    /**
     * Returns the SL2VL row of a pair of port numbers, packed as {@link SlToVlMappingTable#packed()}.
     */
    long row(int sw, int in, int out) {
        long[] ofSwitch = rows[sw];
        return ofSwitch == null ? IDENTITY : ofSwitch[in * ports(sw) + out];
    }

    /** Checks whether any row maps any SL to VL15. */
    boolean isAnyDropped() {
        return Arrays.stream(rows)
                .anyMatch(
                        ofSwitch -> ofSwitch == null || Arrays.stream(ofSwitch).anyMatch(FabricTables::drops));
    }

    private static boolean drops(long row) {
        boolean drops = false;
        for (int sl = 0; sl < SLS; sl++) {
            drops |= SlToVlMappingTable.vl(row, sl) == DROP_VL;
        }
        return drops;
    }

    /** Returns the VL of a packet from one port number of a switch to another. */
    int vl(int sw, int in, int out, int sl) {
        return SlToVlMappingTable.vl(row(sw, in, out), sl);
    }

    /** Returns the SL of packets from an end port to an assigned LID; {@link #NONE} if the pair does not send. */
    int sl(int end, int lid) {
        return sls.sl(end, lid, endports[end].isSwitch() || endports[endportOfLid[lid]].isSwitch());
    }

    /**
     * Checks whether two end ports can be connected: both are attached to switches, or a cable connects them.
     */
    boolean isConnected(int end, int other) {
        boolean isAtSwitches = endports[end].sw() != NONE && endports[other].sw() != NONE;
        return isAtSwitches || endports[end].farHost() == other;
    }

    /** Returns the SLs (bit n: SL n) of groups. */
    int groupSls() {
        return groupSls;
    }

    /** Returns the switch of a port index. */
    int switchOf(int port) {
        int position = Arrays.binarySearch(firstPort, port);
        return position >= 0 ? position : -position - 2;
    }

    /** Returns the number of a port (index) at its switch. */
    int portNum(int port) {
        return port - firstPort[switchOf(port)];
    }

    /** Returns an end port as text for the operator. */
    String nameOf(int end) {
        EndPort endPort = endports[end];
        return endPort.name() + (endPort.isSwitch() ? " port 0" : " port " + endPort.portNum());
    }

    /** Returns a port (index) of a switch as text for the operator. */
    String portName(int port) {
        return switchName[switchOf(port)] + " port " + portNum(port);
    }
}
