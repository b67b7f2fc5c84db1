package io.torussm.sim;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import java.util.Arrays;

/**
 * Three switches in a row, a host at each, configured by the first host: switches have LIDs 1 to 3, hosts 11 to 13;
 * host 11 is the master SM; all links are ACTIVE.
 */
final class RowFabric {
    static final int SWITCHES = 3;
    static final int HOST_PORT = 7;
    static final int EAST = 5;
    static final int WEST = 6;
    static final int SM_LID = 11;

    final VirtualLoop loop = new VirtualLoop();
    final SimFabric fabric;
    final Probe sm;

    RowFabric(FaultPlan faults) {
        this(DeviceModels.PERFECT, faults);
    }

    RowFabric(DeviceModels models, FaultPlan faults) {
        fabric = new SimFabric(TorusSpec.parse("torus:1x1x3,mesh=z").topology(), models, loop, faults);
        sm = new Probe(fabric, loop, "host-0-0-0-0", 1);
    }

    static long switchGuid(int sw) {
        return 0x200000 + 0x10L * sw;
    }

    static long hostGuid(int sw) {
        return 0x1_0000_0000L + 0x100L * sw;
    }

    static int[] toSwitch(int sw) {
        return Arrays.copyOf(new int[] {1, EAST, EAST}, sw + 1);
    }

    static int[] toHost(int sw) {
        int[] path = Arrays.copyOf(toSwitch(sw), sw + 2);
        path[sw + 1] = HOST_PORT;
        return path;
    }

    private static PortInfo portInfoWithLid(int lid) {
        return PortInfo.TYPE.zero().with(PortInfo.LID, lid).with(PortInfo.MASTER_SM_LID, SM_LID);
    }

    static byte[] lft(int sw) {
        byte[] lft = new byte[64];
        Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        for (int to = 0; to < SWITCHES; to++) {
            int way = to > sw ? EAST : WEST;
            lft[1 + to] = (byte) (to == sw ? 0 : way);
            lft[SM_LID + to] = (byte) (to == sw ? HOST_PORT : way);
        }
        return lft;
    }

    RowFabric configure() {
        sm.set(portInfoWithLid(SM_LID), 1);
        for (int sw = 0; sw < SWITCHES; sw++) {
            int[] path = toSwitch(sw);
            sm.set(portInfoWithLid(1 + sw), 0, path);
            sm.set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 63), 0, path);
            sm.set(LinearForwardingTable.blockOf(lft(sw), 0), 0, path);
            if (sw > 0) {
                sm.set(portInfoWithLid(SM_LID + sw), 1, toHost(sw));
            }
        }
        for (int state = PortInfo.STATE_ARMED; state <= PortInfo.STATE_ACTIVE; state++) {
            for (int sw = 0; sw < SWITCHES; sw++) {
                setPortStates(sw, state);
            }
        }
        sm.received.clear();
        return this;
    }

    private void setPortStates(int sw, int state) {
        PortInfo step = PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, state);
        for (int portNum : new int[] {EAST, WEST, HOST_PORT}) {
            if (fabric.portInfo(switchGuid(sw), portNum).isLinkUp()) {
                sm.set(step, portNum, toSwitch(sw));
            }
        }
        PortInfo host = fabric.portInfo(hostGuid(sw), 1)
                .with(PortInfo.PORT_STATE, state)
                .with(PortInfo.PORT_PHYSICAL_STATE, 0);
        sm.set(host, 1, sw == 0 ? new int[0] : toHost(sw));
    }
}
