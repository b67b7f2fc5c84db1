package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;

/** Compares a subnet with one that was routed, to find whether the tables made for that one serve it as well. */
final class SameSubnet {
    private SameSubnet() {}

    /** Whether a subnet is one that was routed, except that some hosts may be absent. */
    static boolean isWithin(Subnet subnet, Subnet routed) {
        Fabric now = subnet.fabric();
        Fabric then = routed.fabric();
        if (now.switchCount() != then.switchCount() || subnet.gidPrefix() != routed.gidPrefix()) {
            return false;
        }
        for (int sw = 0; sw < now.switchCount(); sw++) {
            if (!isSameSwitch(subnet, routed, sw)) {
                return false;
            }
        }
        for (int node = now.switchCount(); node < now.nodeCount(); node++) {
            for (int port = now.port(node, 1); port <= now.port(node, now.numPorts(node)); port++) {
                if (now.isEndport(port) && !isSameEndport(subnet, routed, port)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Same GUID, LID, ports and cables to switches. Switches come first in both fabrics, so indexes can be compared. */
    private static boolean isSameSwitch(Subnet subnet, Subnet routed, int sw) {
        Fabric now = subnet.fabric();
        Fabric then = routed.fabric();
        if (now.nodeGuid(sw) != then.nodeGuid(sw)
                || now.numPorts(sw) != then.numPorts(sw)
                || subnet.lid(now.port(sw, 0)) != routed.lid(then.port(sw, 0))
                || subnet.lmc(now.port(sw, 0)) != routed.lmc(then.port(sw, 0))) {
            return false;
        }
        for (int portNum = 1; portNum <= now.numPorts(sw); portNum++) {
            if (switchPort(now, sw, portNum) != switchPort(then, sw, portNum)) {
                return false;
            }
        }
        return true;
    }

    /** The port of another switch that a port is cabled to; {@link Fabric#NONE} if it is cabled to none. */
    private static int switchPort(Fabric fabric, int sw, int portNum) {
        int far = fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? far : Fabric.NONE;
    }

    private static boolean isSameEndport(Subnet subnet, Subnet routed, int port) {
        Fabric now = subnet.fabric();
        Fabric then = routed.fabric();
        int known = counterpart(subnet, routed, port);
        int far = now.peer(port);
        return known != Fabric.NONE
                && subnet.lmc(port) == routed.lmc(known)
                && far != Fabric.NONE
                && now.isSwitch(now.nodeOf(far))
                && far == then.peer(known);
    }

    /** The same end port in the fabric that was routed, by LID and GUID; {@link Fabric#NONE} if it was not there. */
    static int counterpart(Subnet subnet, Subnet routed, int port) {
        int lid = subnet.lid(port);
        int known = lid == 0 ? Fabric.NONE : routed.portOfLid(lid);
        boolean isSame = known != Fabric.NONE
                && routed.lid(known) == lid
                && routed.fabric().portGuid(known) == subnet.fabric().portGuid(port);
        return isSame ? known : Fabric.NONE;
    }
}
