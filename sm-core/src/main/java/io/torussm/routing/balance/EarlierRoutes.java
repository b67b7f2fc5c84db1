package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;

/**
 * The routes in force, of which new tables keep those that are still good: if nothing came since they were made. So a lost
 * cable changes little; when it is back all destinations choose anew, and the tables are what they were.
 */
public final class EarlierRoutes {
    private static final byte[] NONE = {};

    private EarlierRoutes() {}

    /**
     * The tables in force by switch, empty where nothing is to be kept.
     *
     * @param engine that makes the new tables; those of others are not kept
     */
    public static byte[][] of(EngineContext context, String engine) {
        return tables(context, engine, true);
    }

    /** The same for engines whose routes depend on switches and cables between them only: new hosts do not count. */
    public static byte[][] betweenSwitches(EngineContext context, String engine) {
        return tables(context, engine, false);
    }

    private static byte[][] tables(EngineContext context, String engine, boolean withHosts) {
        Fabric now = context.subnet().fabric();
        Plan plan = context.standing();
        byte[][] tables = new byte[now.switchCount()][];
        boolean isKept = plan != null
                && plan.engine().equals(engine)
                && plan.standing().isEmpty()
                && plan.degradation().isEmpty()
                && isPart(context.subnet(), plan.asRouted().subnet(), withHosts);
        for (int sw = 0; sw < tables.length; sw++) {
            tables[sw] = !isKept || plan == null
                    ? NONE
                    : plan.lft(plan.subnet().fabric().nodeByGuid(now.nodeGuid(sw)));
        }
        return tables;
    }

    /** Whether all nodes, cables and LIDs of a subnet were there in another; those of switches, or those of hosts as well. */
    private static boolean isPart(Subnet subnet, Subnet whole, boolean withHosts) {
        Fabric now = subnet.fabric();
        Fabric then = whole.fabric();
        for (int node = 0; node < (withHosts ? now.nodeCount() : now.switchCount()); node++) {
            int known = then.nodeByGuid(now.nodeGuid(node));
            if (known == Fabric.NONE || then.numPorts(known) != now.numPorts(node)) {
                return false;
            }
            for (int portNum = 0; portNum <= now.numPorts(node); portNum++) {
                int port = now.port(node, portNum);
                int before = then.port(known, portNum);
                if (subnet.lid(port) != whole.lid(before)
                        || subnet.lmc(port) != whole.lmc(before)
                        || now.peer(port) != Fabric.NONE
                                && (withHosts || now.isSwitch(now.nodeOf(now.peer(port))))
                                && !isSame(now, now.peer(port), then, then.peer(before))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isSame(Fabric now, int port, Fabric then, int before) {
        return before != Fabric.NONE
                && now.portNum(port) == then.portNum(before)
                && now.nodeGuid(now.nodeOf(port)) == then.nodeGuid(then.nodeOf(before));
    }
}
