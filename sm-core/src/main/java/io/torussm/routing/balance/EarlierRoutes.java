package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;

/**
 * The active routes that new tables keep if they are still valid. They are kept only if no device and no cable
 * was added to the subnet since. So a lost cable changes few routes. When the cable comes back, all destinations
 * choose again, and the tables are the original ones.
 */
public final class EarlierRoutes {
    private static final byte[] NONE = {};

    private EarlierRoutes() {}

    /**
     * Returns the active tables {@code [switch][LID]}. If the tables are not kept, all rows are empty.
     *
     * @param engine name of the engine that makes the new tables; tables of other engines are not kept
     */
    public static byte[][] of(EngineContext context, String engine) {
        return tables(context, engine, true);
    }

    /**
     * Returns the active tables for engines whose routes depend only on switches and the cables between switches. So
     * tables are kept although hosts were added.
     */
    public static byte[][] betweenSwitches(EngineContext context, String engine) {
        return tables(context, engine, false);
    }

    private static byte[][] tables(EngineContext context, String engine, boolean withHosts) {
        Fabric currentFabric = context.subnet().fabric();
        Plan plan = context.active();
        byte[][] tables = new byte[currentFabric.switchCount()][];
        boolean isKept = plan != null
                && plan.engine().equals(engine)
                && plan.retention().isEmpty()
                && plan.degradation().isEmpty()
                && isPart(context.subnet(), plan.asRouted().subnet(), withHosts);
        for (int sw = 0; sw < tables.length; sw++) {
            tables[sw] = !isKept || plan == null
                    ? NONE
                    : plan.lft(plan.subnet().fabric().nodeByGuid(currentFabric.nodeGuid(sw)));
        }
        return tables;
    }

    /**
     * Checks whether all nodes, cables and LIDs of a subnet were part of a previous subnet.
     *
     * @param withHosts false to compare only switches and the cables between them
     */
    private static boolean isPart(Subnet subnet, Subnet wholeSubnet, boolean withHosts) {
        Fabric currentFabric = subnet.fabric();
        Fabric oldFabric = wholeSubnet.fabric();
        for (int node = 0; node < (withHosts ? currentFabric.nodeCount() : currentFabric.switchCount()); node++) {
            int oldNode = oldFabric.nodeByGuid(currentFabric.nodeGuid(node));
            if (oldNode == Fabric.NONE || oldFabric.numPorts(oldNode) != currentFabric.numPorts(node)) {
                return false;
            }
            for (int portNum = 0; portNum <= currentFabric.numPorts(node); portNum++) {
                int port = currentFabric.port(node, portNum);
                int oldPort = oldFabric.port(oldNode, portNum);
                if (subnet.lid(port) != wholeSubnet.lid(oldPort)
                        || subnet.lmc(port) != wholeSubnet.lmc(oldPort)
                        || (currentFabric.peer(port) != Fabric.NONE
                                && (withHosts || currentFabric.isSwitch(currentFabric.nodeOf(currentFabric.peer(port))))
                                && !isSame(
                                        currentFabric, currentFabric.peer(port), oldFabric, oldFabric.peer(oldPort)))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Checks whether ports of two fabrics have the same node GUID and port number. */
    private static boolean isSame(Fabric currentFabric, int port, Fabric oldFabric, int oldPort) {
        return oldPort != Fabric.NONE
                && currentFabric.portNum(port) == oldFabric.portNum(oldPort)
                && currentFabric.nodeGuid(currentFabric.nodeOf(port)) == oldFabric.nodeGuid(oldFabric.nodeOf(oldPort));
    }
}
