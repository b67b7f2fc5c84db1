package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.Plan;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What a packet meets on its way along the LFTs: the smallest MTU and the lowest rate. Reused from path to path. */
final class PathWalk {
    private static final int MAX_SWITCHES = 64;

    private final ViewIndex index;
    private final Plan plan;
    private final Subnet subnet;
    private final Fabric fabric;
    private int mtu;
    private int rateOrder;

    PathWalk(ViewIndex index) {
        this.index = index;
        this.plan = index.view().plan();
        this.subnet = index.subnet();
        this.fabric = index.fabric();
    }

    /** The same, with an MTU and a rate that are no better than a level's; null for no level. */
    boolean walk(int source, int dlid, PathPolicy.@Nullable Level level) {
        boolean isThere = walk(source, dlid);
        if (level != null && level.mtuLimit() != PathPolicy.Level.NO_LIMIT) {
            mtu = Math.min(mtu, level.mtuLimit());
        }
        if (level != null && level.rateLimit() != PathPolicy.Level.NO_LIMIT) {
            rateOrder = Math.min(rateOrder, Rates.order(level.rateLimit()));
        }
        return isThere;
    }

    /** Follows the tables from an end port to a LID; false if they do not lead there. */
    private boolean walk(int source, int dlid) {
        int destination = subnet.portOfLid(dlid);
        mtu = index.mtu(source);
        rateOrder = index.rateOrder(source);
        if (source == destination) {
            return true;
        }
        int sw = fabric.nodeOf(source);
        if (fabric.isSwitch(sw)) {
            rateOrder = Rates.FASTEST_ORDER;
        } else {
            int far = fabric.peer(source);
            if (far == Fabric.NONE || far == destination) {
                return far == destination;
            }
            sw = fabric.nodeOf(far);
        }
        for (int hops = 0; hops < MAX_SWITCHES && fabric.isSwitch(sw); hops++) {
            byte[] lft = plan.lft(sw);
            int out = dlid < lft.length ? lft[dlid] & 0xff : LinearForwardingTable.NO_PATH;
            if (out == LinearForwardingTable.NO_PATH || out > fabric.numPorts(sw)) {
                return false;
            }
            int egress = fabric.port(sw, out);
            mtu = Math.min(mtu, index.mtu(egress));
            if (out == 0) {
                return egress == destination;
            }
            rateOrder = Math.min(rateOrder, index.rateOrder(egress));
            int far = fabric.peer(egress);
            if (far == destination) {
                return true;
            }
            if (far == Fabric.NONE) {
                return false;
            }
            sw = fabric.nodeOf(far);
        }
        return false;
    }

    /**
     * The cables of a path that there is, each by the lower port index of its ends, ascending.
     *
     * @param source an end port from which the tables lead to the LID
     */
    int[] cables(int source, int dlid) {
        int destination = subnet.portOfLid(dlid);
        int[] cables = new int[MAX_SWITCHES + 1];
        int count = 0;
        int port = source;
        while (port != destination) {
            int node = fabric.nodeOf(port);
            int egress = fabric.isSwitch(node) ? fabric.port(node, plan.lft(node)[dlid] & 0xff) : port;
            if (egress == destination) {
                break;
            }
            port = fabric.peer(egress);
            cables[count++] = Math.min(port, egress);
        }
        Arrays.sort(cables, 0, count);
        return Arrays.copyOf(cables, count);
    }

    /** MTU code of the path walked last. */
    int mtu() {
        return mtu;
    }

    /** Rate code of the path walked last. */
    int rate() {
        return Rates.code(rateOrder);
    }
}
