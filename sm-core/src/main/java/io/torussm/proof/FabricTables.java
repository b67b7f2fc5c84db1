package io.torussm.proof;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SlToVlMappingTable;
import java.util.Arrays;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A fabric as files describe it: switches, end ports, cables, and the tables of switches. Immutable; made by
 * a {@link FabricTablesBuilder}.
 *
 * <p>Ports of switches have dense indexes: those of switch {@code s} are {@code firstPort[s]} (its port 0) to
 * {@code firstPort[s + 1] - 1}. End ports are ports of hosts and ports 0 of switches that have a LID or a
 * peer.
 */
public final class FabricTables {
    /** No switch, port or LID. */
    static final int NONE = -1;

    /** The VL on which packets are discarded. */
    static final int DROP_VL = 15;

    /** The row that maps every SL to the VL of its number. */
    static final long IDENTITY = 0x0123456789abcdefL;

    private static final int SLS = 16;
    final int switchCount;
    final long[] switchGuid;
    final String[] switchName;

    /** By switch, and one more. */
    final int[] firstPort;

    /** By port of a switch: the port of a switch at the other end of the cable; {@link #NONE} if there is none. */
    final int[] farPort;

    /** By port of a switch: the switch at the other end of the cable; {@link #NONE} if there is none. */
    final int[] farSwitch;

    /**
     * By port of a switch: the end port that it is, or that is attached to it; {@link #NONE} if there is
     * none.
     */
    final int[] endport;

    final EndPort[] endports;

    /** By LID. */
    final int[] endportOfLid;

    /** By switch: egress port by LID; shorter if further LIDs have no entry. */
    private final byte[][] lfts;

    /**
     * By switch: packed rows by input port times ports, plus output port; null if every row is
     * {@link #IDENTITY}.
     */
    private final long[] @Nullable [] rows;

    private final ListedSls sls;

    /** By MLID, then by switch: four words with a bit for each port; null for a switch without an entry. */
    final SortedMap<Integer, long[] @Nullable []> groups;

    private final int groupSls;
    private final long assumedRows;

    /**
     * A port of a host, or port 0 of a switch.
     *
     * @param nodeGuid NodeGUID of its node
     * @param portGuid PortGUID of the port; that of the node for port 0 if no other is known
     * @param name name of its node
     * @param portNum at its node
     * @param sw the switch that it is, or is attached to; -1 if there is none
     * @param switchPort egress port of that switch to it
     * @param farHost index of the host's port at the other end of its cable; -1 if that end is no host
     * @param isSwitch whether it is port 0 of a switch
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
     * Returns the number of SL2VL rows between ports with a peer that no file contains: every SL is assumed
     * to have the VL of its number.
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

    /** Returns the egress port number of a switch for a LID; 255 if it has none. */
    int lft(int sw, int lid) {
        return lid < lfts[sw].length ? lfts[sw][lid] & 0xff : LinearForwardingTable.NO_PATH;
    }

    /**
     * Returns the port by which a switch forwards a LID to another switch; {@link #NONE} if its entry leads
     * to none.
     */
    int linkTo(int sw, int lid) {
        int out = lft(sw, lid);
        int port = firstPort[sw] + out;
        return out != 0 && port < firstPort[sw + 1] && farPort[port] != NONE ? port : NONE;
    }

    /**
     * Returns the row for packets from one port to another, packed as {@link SlToVlMappingTable#packed()}.
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

    /** Returns the VL of a packet from one port of a switch to another. */
    int vl(int sw, int in, int out, int sl) {
        return SlToVlMappingTable.vl(row(sw, in, out), sl);
    }

    /** Returns the SL of packets from an end port to a LID; {@link #NONE} if it does not send there. */
    int sl(int end, int lid) {
        return sls.sl(end, lid, endports[end].isSwitch() || endports[endportOfLid[lid]].isSwitch());
    }

    /**
     * Checks whether packets from one host's port to another pass a switch, or cross the one cable between
     * the two.
     */
    boolean isConnected(int end, int other) {
        boolean isAtSwitches = endports[end].sw() != NONE && endports[other].sw() != NONE;
        return isAtSwitches || endports[end].farHost() == other;
    }

    /** Returns the SLs (bit n: SL n) of groups. */
    int groupSls() {
        return groupSls;
    }

    /** Returns the switch of a port. */
    int switchOf(int port) {
        int at = Arrays.binarySearch(firstPort, port);
        return at >= 0 ? at : -at - 2;
    }

    /** Returns the number of a port at its switch. */
    int portNum(int port) {
        return port - firstPort[switchOf(port)];
    }

    /** Returns the text of an end port. */
    String nameOf(int end) {
        EndPort it = endports[end];
        return it.name() + (it.isSwitch() ? " port 0" : " port " + it.portNum());
    }

    /** Returns the text of a port of a switch. */
    String portName(int port) {
        return switchName[switchOf(port)] + " port " + portNum(port);
    }
}
