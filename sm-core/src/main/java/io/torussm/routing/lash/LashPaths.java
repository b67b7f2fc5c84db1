package io.torussm.routing.lash;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/** The tables and SLs of paths along routes in lanes. */
final class LashPaths implements PathSls {
    private static final byte NO_PATH = (byte) 0xff;

    private final Subnet subnet;
    private final SwitchGraph graph;
    private final Layers layers;
    private final LaneSls sls;

    /** By switch index. */
    private final int[] idOf;

    LashPaths(Subnet subnet, SwitchGraph graph, Layers layers, LaneSls sls) {
        this.subnet = subnet;
        this.graph = graph;
        this.layers = layers;
        this.sls = sls;
        idOf = new int[graph.size()];
        for (int id = 0; id < idOf.length; id++) {
            idOf[graph.switches()[id]] = id;
        }
    }

    /** Forwarding tables by switch index; LIDs that one link leads to take its cables in turn. */
    byte[][] tables(ShortestRoutes routes) {
        byte[][] lfts = new byte[idOf.length][subnet.topLid() + 1];
        for (int sw = 0; sw < lfts.length; sw++) {
            int id = idOf[sw];
            int[] turns = new int[graph.degree(id)];
            Arrays.fill(lfts[sw], NO_PATH);
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int to = subnet.switchOfLid(lid);
                if (to == sw) {
                    lfts[sw][lid] = (byte) subnet.deliveryPort(lid);
                } else if (to != Fabric.NONE) {
                    int link = routes.linkWithin(id, idOf[to]);
                    int[] ports = graph.ports()[id][link];
                    lfts[sw][lid] = (byte) ports[turns[link]++ % ports.length];
                }
            }
        }
        return lfts;
    }

    /** {@inheritDoc} It is that of the lane, whatever is wanted: with another one the path would be in another lane. */
    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        int to = subnet.switchOfLid(dstLid);
        return from == Fabric.NONE || to == Fabric.NONE ? -1 : sls.sl(layers.lane(idOf[from], idOf[to]));
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int to = subnet.switchOfLid(dstLid);
        return to == Fabric.NONE ? 0 : 1 << sls.sl(layers.lane(idOf[srcSw], idOf[to]));
    }
}
