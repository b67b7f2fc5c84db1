package io.torussm.fabric;

import io.torussm.mad.smp.DrPath;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The shortest directed routes from one end port of a fabric. A fabric has the routes of the SM that discovered it;
 * another SM needs those from its own port.
 */
public final class DirectedRoutes {
    private final Fabric fabric;
    private final int from;

    /** By node; null where no route leads, or more than {@link DrPath#MAX_HOPS} hops. */
    private final @Nullable DrPath[] toNode;

    private DirectedRoutes(Fabric fabric, int from) {
        this.fabric = fabric;
        this.from = from;
        this.toNode = new DrPath[fabric.nodeCount()];
    }

    /** Returns the routes from an end port. */
    public static DirectedRoutes from(Fabric fabric, int endport) {
        DirectedRoutes routes = new DirectedRoutes(fabric, endport);
        routes.explore();
        return routes;
    }

    private void explore() {
        int start = fabric.nodeOf(from);
        toNode[start] = DrPath.LOCAL;
        Queue<Integer> reached = new ArrayDeque<>();
        if (fabric.isSwitch(start)) {
            reached.add(start);
        } else {
            step(DrPath.LOCAL, from, reached);
        }
        for (Integer sw = reached.poll(); sw != null; sw = reached.poll()) {
            DrPath path = toNode[sw];
            for (int portNum = 1; path != null && portNum <= fabric.numPorts(sw); portNum++) {
                step(path, fabric.port(sw, portNum), reached);
            }
        }
    }

    private void step(DrPath path, int egress, Queue<Integer> reached) {
        int far = fabric.peer(egress);
        int node = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
        if (node != Fabric.NONE && toNode[node] == null && path.hops() < DrPath.MAX_HOPS) {
            toNode[node] = path.then(fabric.portNum(egress));
            if (fabric.isSwitch(node)) {
                reached.add(node);
            }
        }
    }

    /**
     * Returns the route to a port, which enters a CA or router by that port, and ends at the switch for ports of
     * switches; null if there is none. No route leads through a CA.
     */
    public @Nullable DrPath to(int port) {
        int far = fabric.peer(port);
        if (port == from || fabric.isSwitch(fabric.nodeOf(port)) || far == Fabric.NONE) {
            return toNode[fabric.nodeOf(port)];
        } else if (!fabric.isSwitch(fabric.nodeOf(far)) && far != from) {
            return null;
        }
        DrPath toSwitch = toNode[fabric.nodeOf(far)];
        return toSwitch == null || toSwitch.hops() == DrPath.MAX_HOPS ? null : toSwitch.then(fabric.portNum(far));
    }
}
