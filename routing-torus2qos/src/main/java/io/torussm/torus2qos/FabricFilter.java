package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;

/** How the engine sees a fabric: which cables count, and how many data VLs its ports have. */
final class FabricFilter {
    private FabricFilter() {}

    /** Whether a port carries a cable from a switch to a switch; a port plugged into itself does not. */
    static boolean isSwitchLink(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE
                && peer != port
                && fabric.isSwitch(fabric.nodeOf(port))
                && fabric.isSwitch(fabric.nodeOf(peer))
                && fabric.portNum(port) != 0
                && fabric.portNum(peer) != 0;
    }

    /** Whether a switch port leads to an end port of a CA or router. */
    static boolean isHostLink(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer)) && fabric.isEndport(peer);
    }

    /** The switch with a NodeGUID, {@link Fabric#NONE} if there is none. */
    static int switchByGuid(Fabric fabric, long guid) {
        int node = fabric.nodeByGuid(guid);
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /**
     * The fewest data VLs, 1 to 15, and a port (index) that has no more; {@link Fabric#NONE} if there is no such port.
     */
    record DataVls(int count, int port) {
        private static final DataVls MOST = new DataVls(15, Fabric.NONE);

        private DataVls and(int vls, int atPort) {
            return vls < count ? new DataVls(vls, atPort) : this;
        }
    }

    /** The fewest data VLs on links between switches. */
    static DataVls switchLinkVls(Fabric fabric, int maxOpVls) {
        DataVls fewest = DataVls.MOST;
        int ports = portsOfSwitches(fabric);
        for (int port = 0; port < ports; port++) {
            if (isSwitchLink(fabric, port)) {
                fewest = fewest.and(dataVls(fabric, port, maxOpVls), port);
            }
        }
        return fewest;
    }

    /** The fewest data VLs on ports of CAs and routers. */
    static DataVls endportVls(Fabric fabric, int maxOpVls) {
        DataVls fewest = DataVls.MOST;
        for (int port = portsOfSwitches(fabric); port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                fewest = fewest.and(dataVls(fabric, port, maxOpVls), port);
            }
        }
        return fewest;
    }

    private static int portsOfSwitches(Fabric fabric) {
        int switches = fabric.switchCount();
        return switches == 0 ? 0 : fabric.port(switches - 1, fabric.numPorts(switches - 1)) + 1;
    }

    /** Data VLs of a port, 15 if it is down or unknown; a VL code outside 1 to 5 counts as the nearest. */
    private static int dataVls(Fabric fabric, int port, int maxOpVls) {
        PortInfo info = fabric.portInfo(port);
        if (info == null || info.portState() == PortInfo.STATE_DOWN) {
            return 15;
        }
        int code = Math.max(1, Math.min(5, Math.min(info.vlCap(), maxOpVls)));
        return Math.min(15, 1 << code - 1);
    }
}
