package io.torussm.routing.lash;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathSls;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.lanes.KeptPaths;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The tables, SLs and explanations of a plan of this engine. Immutable. */
final class LashPaths implements PathSls, PlanExplainer {
    private final Subnet subnet;
    private final LashGraph graph;
    private final Layers layers;
    private final LaneSls sls;
    private final LashEngine.Settings settings;

    /** By switch index: the id in {@link LashGraph}. */
    private final int[] idOf;

    LashPaths(Subnet subnet, LashGraph graph, Layers layers, LaneSls sls, LashEngine.Settings settings) {
        this.subnet = subnet;
        this.graph = graph;
        this.layers = layers;
        this.sls = sls;
        this.settings = settings;
        idOf = graph.ids();
    }

    /** Returns the settings with which the plan was made. */
    LashEngine.Settings settings() {
        return settings;
    }

    /** Returns the index of a switch in the fabric of the plan. */
    int switchOf(long nodeGuid) {
        return subnet.fabric().nodeByGuid(nodeGuid);
    }

    /** Returns the lane of packets between two switches, by their indexes. */
    int lane(int from, int to) {
        return layers.lane(idOf[from], idOf[to]);
    }

    /**
     * Returns forwarding tables {@code [switch][LID]}. If a link has several cables, a LID keeps its previous cable;
     * other LIDs use the cables in turn.
     *
     * @param earlier routes of the active plan; null if all routes are new
     */
    byte[][] tables(ShortestRoutes routes, @Nullable EarlierPairs earlier) {
        byte[][] lfts = new byte[idOf.length][subnet.topLid() + 1];
        for (int sw = 0; sw < lfts.length; sw++) {
            int id = idOf[sw];
            int[] turns = new int[graph.degree(id)];
            Arrays.fill(lfts[sw], LinearForwardingTable.NO_PATH_ENTRY);
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int to = subnet.switchOfLid(lid);
                if (to == sw) {
                    lfts[sw][lid] = (byte) subnet.deliveryPort(lid);
                } else if (to != Fabric.NONE) {
                    int link = routes.linkWithin(id, idOf[to]);
                    int[] ports = graph.ports()[id][link];
                    int keptIndex = earlier == null ? -1 : LashGraph.indexOf(ports, earlier.port(sw, lid));
                    lfts[sw][lid] = (byte) ports[keptIndex < 0 ? turns[link]++ % ports.length : keptIndex];
                }
            }
        }
        return lfts;
    }

    /**
     * {@inheritDoc} It is the SL of the lane, for any wanted SL: another SL would put the path in another
     * lane.
     */
    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        int to = subnet.switchOfLid(dstLid);
        return from == Fabric.NONE || to == Fabric.NONE ? -1 : sls.sl(lane(from, to));
    }

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        int to = subnet.switchOfLid(dlid);
        if (to == Fabric.NONE || to == sw) {
            return "";
        }
        Fabric fabric = subnet.fabric();
        int previousPort = in == 0 ? Fabric.NONE : fabric.peer(fabric.port(sw, in));
        boolean isFirst = previousPort == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(previousPort));
        return "shortest path, the first that was found"
                + (isFirst
                        ? "; lane of SL " + sls.sl(lane(sw, to)) + ", in which all paths together close no credit loop"
                        : "");
    }

    @Override
    public String slChangeCause() {
        return KeptPaths.CAUSE;
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int to = subnet.switchOfLid(dstLid);
        return to == Fabric.NONE ? 0 : 1 << sls.sl(lane(srcSw, to));
    }
}
