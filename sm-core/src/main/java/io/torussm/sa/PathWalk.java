package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.RoutingPlan;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;

/** What a packet meets on its way along the LFTs: the smallest MTU and the lowest rate. Reused from path to path. */
final class PathWalk {
    private static final int MAX_SWITCHES = 64;
    private static final int BEST_MTU = 5;
    private static final int BEST_RATE = 24;

    private final RoutingPlan plan;
    private final Subnet subnet;
    private final Fabric fabric;
    private int mtu;
    private int rate;

    PathWalk(PublishedView view) {
        this.plan = view.plan();
        this.subnet = view.subnet();
        this.fabric = subnet.fabric();
    }

    /** Follows the tables from an end port to a LID; false if they do not lead there. */
    boolean walk(int source, int dlid) {
        int destination = subnet.portOfLid(dlid);
        mtu = BEST_MTU;
        rate = BEST_RATE;
        pass(source);
        if (source == destination) {
            return true;
        }
        int sw = fabric.nodeOf(source);
        if (!fabric.isSwitch(sw)) {
            int far = fabric.peer(source);
            if (far == Fabric.NONE || far == destination) {
                return far != Fabric.NONE;
            }
            sw = fabric.nodeOf(far);
            pass(far);
        }
        for (int hops = 0; hops < MAX_SWITCHES && fabric.isSwitch(sw); hops++) {
            int out = plan.lft(sw)[dlid] & 0xff;
            if (out == LinearForwardingTable.NO_PATH || out > fabric.numPorts(sw)) {
                return false;
            }
            int egress = fabric.port(sw, out);
            if (out == 0) {
                pass(egress);
                return egress == destination;
            }
            int far = fabric.peer(egress);
            if (far == Fabric.NONE) {
                return false;
            }
            pass(egress);
            pass(far);
            if (far == destination) {
                return true;
            }
            sw = fabric.nodeOf(far);
        }
        return false;
    }

    /** MTU code of the path walked last. */
    int mtu() {
        return mtu;
    }

    /** Rate code of the path walked last. */
    int rate() {
        return rate;
    }

    private void pass(int port) {
        PortInfo info = fabric.portInfo(port);
        if (info == null) {
            return;
        }
        int node = fabric.nodeOf(port);
        boolean isPort0 = fabric.isSwitch(node) && fabric.portNum(port) == 0;
        int portMtu = isPort0 || info.neighborMtu() == 0 ? info.mtuCap() : info.neighborMtu();
        mtu = Math.min(mtu, Math.max(1, portMtu));
        if (!isPort0) {
            PortInfo governing = fabric.isSwitch(node) ? fabric.portInfo(fabric.port(node, 0)) : info;
            boolean knowsExtended = governing != null && governing.can(PortInfo.CAP_EXTENDED_SPEEDS);
            int portRate = Rates.of(info, knowsExtended);
            rate = Rates.compare(portRate, rate) < 0 ? portRate : rate;
        }
    }
}
