package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;

/** Hosts that are connected, but have no path between them that an engine allows. */
public final class UnreachedHosts {
    private static final int NAMED = 3;

    private final List<String> named = new ArrayList<>();
    private long pairs;

    /** Looks for them: hosts on switches that cables connect, but no path. */
    public UnreachedHosts(Subnet subnet, Hops cables, Plan.Paths paths) {
        Fabric fabric = subnet.fabric();
        int[] hosts = new int[fabric.switchCount()];
        int[] one = new int[fabric.switchCount()];
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
                int port = fabric.port(node, portNum);
                int sw = fabric.isEndport(port) && subnet.lid(port) != 0 ? fabric.switchOf(port) : Fabric.NONE;
                if (sw != Fabric.NONE && hosts[sw]++ == 0) {
                    one[sw] = node;
                }
            }
        }
        for (int from = 0; from < hosts.length; from++) {
            for (int to = 0; to < hosts.length; to++) {
                boolean isMissed = hosts[from] > 0 && hosts[to] > 0 && !paths.lead(from, to);
                if (isMissed && cables.hops(from, to) != Hops.NONE) {
                    pairs += (long) hosts[from] * hosts[to];
                    if (named.size() < NAMED) {
                        named.add(fabric.name(one[from]) + " to " + fabric.name(one[to]));
                    }
                }
            }
        }
    }

    /** Returns the number of pairs of host ports, each direction for itself. */
    public long pairs() {
        return pairs;
    }

    /** Returns some of them by name. */
    public String named() {
        return String.join(", ", named) + (pairs > named.size() ? " and others" : "");
    }
}
