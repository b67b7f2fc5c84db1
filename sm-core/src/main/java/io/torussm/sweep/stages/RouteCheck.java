package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The check for lost cables on the paths of unanswered requests. It reads PortInfo of the egress port of each switch
 * on a path. The last switch that responds is next to the fault. The check does not rely on traps, because the trap of
 * that switch may be lost on another dead cable. Owner thread: the loop.
 */
final class RouteCheck {
    private RouteCheck() {}

    /**
     * Starts the check.
     *
     * @param fabric fabric in which the cables were up
     * @param routes directed routes of the unanswered requests
     * @param lost receives the NodeGUIDs of switches with a port that is down, perhaps several times
     * @return scope, to be closed when the result is no longer needed
     */
    static MadScope start(MadClient client, Fabric fabric, Collection<DrPath> routes, LongConsumer lost) {
        MadScope scope = client.scope();
        BitSet asked = new BitSet();
        routes.forEach(route -> ask(scope, fabric, route, asked, lost));
        return scope;
    }

    /** Reads the egress ports on a route, except those in {@code asked}, a set of port indexes. */
    private static void ask(MadScope scope, Fabric fabric, DrPath route, BitSet asked, LongConsumer lost) {
        // Element i is the route to the switch after i hops; its egress port is route.port(i).
        List<DrPath> routesByHops = new ArrayList<>(List.of(route));
        while (routesByHops.get(0).hops() > 0) {
            routesByHops.add(0, routesByHops.get(0).parent());
        }
        int node = fabric.nodeOf(fabric.localPort());
        for (int hop = 0; hop < route.hops() && route.port(hop) <= fabric.numPorts(node); hop++) {
            int port = fabric.port(node, route.port(hop));
            int far = fabric.peer(port);
            if (far == Fabric.NONE) {
                return;
            }
            long guid = fabric.nodeGuid(node);
            if (fabric.isSwitch(node) && !asked.get(port)) {
                asked.set(port);
                scope.get(PortInfo.TYPE, routesByHops.get(hop), fabric.portInfoModifier(port), outcome -> {
                    if (outcome instanceof Outcome.Reply<PortInfo> current
                            && !current.value().isLinkUp()) {
                        lost.accept(guid);
                    }
                });
            }
            node = fabric.nodeOf(far);
        }
    }
}
