package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;

/** The pairs of hosts that cables connect, but that have no path which an engine allows. */
public final class UnreachedHosts {
    private static final int MAX_EXAMPLES = 3;

    private final List<String> examples = new ArrayList<>();
    private long pairs;

    /**
     * Finds the pairs of a subnet.
     *
     * @param cables hops over all cables
     * @param paths pairs of switches that the engine connects
     */
    public UnreachedHosts(Subnet subnet, Hops cables, Plan.Paths paths) {
        Fabric fabric = subnet.fabric();
        int[] hosts = new int[fabric.switchCount()];
        int[] firstHost = new int[fabric.switchCount()];
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                int port = fabric.port(node, portNum);
                int sw = fabric.isEndport(port) && subnet.lid(port) != 0 ? fabric.switchOf(port) : Fabric.NONE;
                if (sw != Fabric.NONE && hosts[sw]++ == 0) {
                    firstHost[sw] = node;
                }
            }
        }
        for (int from = 0; from < hosts.length; from++) {
            for (int to = 0; to < hosts.length; to++) {
                boolean isMissed = hosts[from] > 0 && hosts[to] > 0 && !paths.hasPath(from, to);
                if (isMissed && cables.hops(from, to) != Hops.NONE) {
                    pairs += (long) hosts[from] * hosts[to];
                    if (examples.size() < MAX_EXAMPLES) {
                        examples.add(fabric.name(firstHost[from]) + " to " + fabric.name(firstHost[to]));
                    }
                }
            }
        }
    }

    /** Returns the number of ordered pairs of host ports. */
    public long pairs() {
        return pairs;
    }

    /** Returns the names of some pairs, for operators. */
    public String examples() {
        return String.join(", ", examples) + (pairs > examples.size() ? " and others" : "");
    }
}
