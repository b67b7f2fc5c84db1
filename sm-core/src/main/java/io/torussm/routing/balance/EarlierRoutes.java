package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;

/**
 * The active routes that new tables keep if they are still valid. They are kept only if no device or cable
 * was added since. So a lost cable changes few routes. When it is back, all destinations choose again, and
 * the tables are the original ones.
 */
public final class EarlierRoutes {
    private static final byte[] NONE = {};

    private EarlierRoutes() {}

    /**
     * Returns the active tables by switch, empty for a switch whose table is not kept.
     *
     * @param engine engine that makes the new tables; tables of other engines are not kept
     */
    public static byte[][] of(EngineContext context, String engine) {
        return tables(context, engine, true);
    }

    /**
     * Returns the same for engines whose routes depend only on switches and the cables between them: new
     * hosts do not count.
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
     * Checks whether all nodes, cables and LIDs of a subnet were part of another; only switches, or hosts as
     * well.
     */
    private static boolean isPart(Subnet subnet, Subnet wholeSubnet, boolean withHosts) {
        Fabric currentFabric = subnet.fabric();
        Fabric oldFabric = wholeSubnet.fabric();
        for (int node = 0; node < (withHosts ? currentFabric.nodeCount() : currentFabric.switchCount()); node++) {
            int known = oldFabric.nodeByGuid(currentFabric.nodeGuid(node));
            if (known == Fabric.NONE || oldFabric.numPorts(known) != currentFabric.numPorts(node)) {
                return false;
            }
            for (int portNum = 0; portNum <= currentFabric.numPorts(node); portNum++) {
                int port = currentFabric.port(node, portNum);
                int before = oldFabric.port(known, portNum);
                if (subnet.lid(port) != wholeSubnet.lid(before)
                        || subnet.lmc(port) != wholeSubnet.lmc(before)
                        || (currentFabric.peer(port) != Fabric.NONE
                                && (withHosts || currentFabric.isSwitch(currentFabric.nodeOf(currentFabric.peer(port))))
                                && !isSame(
                                        currentFabric, currentFabric.peer(port), oldFabric, oldFabric.peer(before)))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isSame(Fabric currentFabric, int port, Fabric oldFabric, int before) {
        return before != Fabric.NONE
                && currentFabric.portNum(port) == oldFabric.portNum(before)
                && currentFabric.nodeGuid(currentFabric.nodeOf(port)) == oldFabric.nodeGuid(oldFabric.nodeOf(before));
    }
}
