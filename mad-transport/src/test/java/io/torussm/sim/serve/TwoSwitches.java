package io.torussm.sim.serve;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.SimFabric;
import java.util.Arrays;

/** Programs torus:1x1x2,mesh=z from its first host, whose LID is set: switches have LIDs 1 and 2, hosts 11 and 12. */
final class TwoSwitches {
    private static final int EAST = 5;
    private static final int WEST = 6;
    private static final int HOST_PORT = 7;
    private static final int TOP = 63;

    private TwoSwitches() {}

    /** Sets an attribute by directed route. */
    interface Setter {
        void set(Attribute<?> value, int modifier, int... path);
    }

    static void program(Setter setter, SimFabric fabric) {
        int[][] paths = {{1}, {1, EAST}};
        for (int sw = 0; sw < paths.length; sw++) {
            setter.set(portInfoWithLid(1 + sw), 0, paths[sw]);
            setter.set(SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, TOP), 0, paths[sw]);
            setter.set(LinearForwardingTable.blockOf(lft(sw), 0), 0, paths[sw]);
        }
        setter.set(portInfoWithLid(12), 1, 1, EAST, HOST_PORT);
        for (int state = PortInfo.STATE_ARMED; state <= PortInfo.STATE_ACTIVE; state++) {
            PortInfo step = PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, state);
            setter.set(step, EAST, paths[0]);
            setter.set(step, HOST_PORT, paths[0]);
            setter.set(step, WEST, paths[1]);
            setter.set(step, HOST_PORT, paths[1]);
            setter.set(hostPortInfo(fabric, 0, state), 1);
            setter.set(hostPortInfo(fabric, 1, state), 1, 1, EAST, HOST_PORT);
        }
    }

    private static PortInfo hostPortInfo(SimFabric fabric, int host, int state) {
        return fabric.portInfo(0x1_0000_0000L + 0x100L * host, 1)
                .with(PortInfo.PORT_STATE, state)
                .with(PortInfo.PORT_PHYSICAL_STATE, 0);
    }

    private static PortInfo portInfoWithLid(int lid) {
        return PortInfo.TYPE.zero().with(PortInfo.LID, lid).with(PortInfo.MASTER_SM_LID, 11);
    }

    private static byte[] lft(int sw) {
        byte[] lft = new byte[TOP + 1];
        Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        lft[1] = (byte) (sw == 0 ? 0 : WEST);
        lft[2] = (byte) (sw == 1 ? 0 : EAST);
        lft[11] = (byte) (sw == 0 ? HOST_PORT : WEST);
        lft[12] = (byte) (sw == 1 ? HOST_PORT : EAST);
        return lft;
    }
}
