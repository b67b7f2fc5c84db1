package io.torussm.daemon.http;

import io.torussm.fabric.Fabric;
import io.torussm.routing.RoutingPlan;
import io.torussm.subnet.Subnet;

/**
 * How many paths from host to host leave by each port of a switch, as the forwarding tables have it. Costs a look at every
 * entry of every table that leads to a host; nothing is allocated per entry.
 */
final class LinkLoads {
    private static final int NO_PATH = 0xff;

    private final Subnet subnet;
    private final Fabric fabric;
    private final RoutingPlan plan;
    private final long[] pathsOf;
    private final int[] hostsAt;

    private final int[] out;
    private final int[] feeders;
    private final int[] ready;
    private final long[] carried;

    private LinkLoads(RoutingPlan plan, Subnet subnet) {
        this.plan = plan;
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        int switches = fabric.switchCount();
        pathsOf = new long[fabric.portCount()];
        hostsAt = new int[switches];
        out = new int[switches];
        feeders = new int[switches];
        ready = new int[switches];
        carried = new long[switches];
    }

    /** Paths by port index of the switch port that they leave by. */
    static long[] of(RoutingPlan plan, Subnet subnet) {
        LinkLoads loads = new LinkLoads(plan, subnet);
        loads.countHosts();
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int port = subnet.portOfLid(lid);
            if (port != Fabric.NONE && loads.isHost(port)) {
                loads.addPathsTo(lid, loads.fabric.switchOf(port));
            }
        }
        return loads.pathsOf;
    }

    private boolean isHost(int port) {
        return !fabric.isSwitch(fabric.nodeOf(port)) && fabric.switchOf(port) != Fabric.NONE;
    }

    private void countHosts() {
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && isHost(port) && subnet.lid(port) != 0) {
                hostsAt[fabric.switchOf(port)]++;
            }
        }
    }

    /** From the leaves of the tree that leads to a LID down to its root; what goes in circles is left out. */
    private void addPathsTo(int lid, int destination) {
        int switches = fabric.switchCount();
        java.util.Arrays.fill(feeders, 0);
        for (int sw = 0; sw < switches; sw++) {
            out[sw] = sw == destination ? Fabric.NONE : outPort(sw, lid);
            carried[sw] = hostsAt[sw];
            if (out[sw] != Fabric.NONE) {
                feeders[next(sw)]++;
            }
        }
        int waiting = 0;
        for (int sw = 0; sw < switches; sw++) {
            if (feeders[sw] == 0) {
                ready[waiting++] = sw;
            }
        }
        for (int i = 0; i < waiting; i++) {
            int sw = ready[i];
            if (out[sw] != Fabric.NONE) {
                pathsOf[out[sw]] += carried[sw];
                int next = next(sw);
                carried[next] += carried[sw];
                if (--feeders[next] == 0) {
                    ready[waiting++] = next;
                }
            }
        }
    }

    private int next(int sw) {
        return fabric.nodeOf(fabric.peer(out[sw]));
    }

    /** The port index towards a LID; {@link Fabric#NONE} if the way ends there, or leads to no switch. */
    private int outPort(int sw, int lid) {
        byte[] table = plan.lft(sw);
        int portNum = lid < table.length ? table[lid] & 0xff : NO_PATH;
        if (portNum == NO_PATH || portNum == 0 || portNum > fabric.numPorts(sw)) {
            return Fabric.NONE;
        }
        int port = fabric.port(sw, portNum);
        int far = fabric.peer(port);
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? port : Fabric.NONE;
    }
}
