package io.torussm.dataplane;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.sim.SimFabric;
import io.torussm.subnet.LinkSettings;

/**
 * The tables of the devices of the embedded fabric at the last {@link #readTables}, so that traffic can be sent
 * while an SM programs it. Owner thread: that fabric's loop.
 */
public final class ProgrammedTables implements ForwardingTables {
    private final SimFabric devices;
    private final Fabric fabric;
    private final byte[][] lfts;
    private final long[][][] rows;

    /** By port index, the code of the operational VLs. */
    private final int[] vlCodes;

    /**
     * Reads the tables once.
     *
     * @param fabric the cabling; absent devices keep their last tables
     */
    public ProgrammedTables(SimFabric devices, Fabric fabric) {
        this.devices = devices;
        this.fabric = fabric;
        lfts = new byte[fabric.switchCount()][];
        rows = new long[fabric.switchCount()][][];
        vlCodes = new int[fabric.portCount()];
        readTables();
    }

    /** Reads all tables again. */
    public void readTables() {
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = devices.lft(fabric.nodeGuid(sw));
            rows[sw] = devices.sl2vl(fabric.nodeGuid(sw));
        }
        for (int port = 0; port < vlCodes.length; port++) {
            vlCodes[port] =
                    fabric.peer(port) == Fabric.NONE ? 0 : portInfo(port).operationalVls();
        }
    }

    /** Checks whether packets pass a port: its link is ACTIVE. */
    public boolean isUp(int port) {
        return portInfo(port).portState() == PortInfo.STATE_ACTIVE;
    }

    private PortInfo portInfo(int port) {
        return devices.portInfo(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    @Override
    public int out(int sw, int dlid) {
        return dlid < lfts[sw].length ? lfts[sw][dlid] & 0xff : DROP_PORT;
    }

    @Override
    public long[] group(int sw, int mlid) {
        return devices.mft(fabric.nodeGuid(sw), mlid);
    }

    @Override
    public int vl(int node, int in, int out, int sl) {
        int port = fabric.port(node, out);
        long row = fabric.isSwitch(node) ? rows[node][in][out] : devices.sl2vl(fabric.nodeGuid(node), 0, out);
        return LinkSettings.foldVl(SlToVlMappingTable.vl(row, sl), vlCodes[port]);
    }

    @Override
    public VlArbitrationPolicy.Tables arbitration(int port) {
        long guid = fabric.nodeGuid(fabric.nodeOf(port));
        int portNum = fabric.portNum(port);
        return new VlArbitrationPolicy.Tables(
                devices.vlArbitration(guid, portNum, 1),
                devices.vlArbitration(guid, portNum, 2),
                devices.vlArbitration(guid, portNum, 3),
                devices.vlArbitration(guid, portNum, 4),
                (int) portInfo(port).get(PortInfo.VL_HIGH_LIMIT));
    }
}
