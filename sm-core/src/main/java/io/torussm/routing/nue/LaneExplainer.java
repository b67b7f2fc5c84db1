package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.lanes.Channels;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * Which lane destinations have, and what they have their ways for.
 *
 * @param includesSwitches whether ports 0 of switches were dealt to lanes, too
 * @param lanes by LID; {@link Fabric#NONE} where there is none
 * @param escaped by LID: switches whose packets go along the escape tree; null where there is no LID
 */
record LaneExplainer(
        Subnet subnet, Channels channels, int laneCount, boolean includesSwitches, byte[] lanes, BitSet[] escaped)
        implements PlanExplainer {
    /**
     * The lanes that ports have in the plan in force, by port index now; {@link Fabric#NONE} for those that have none.
     *
     * @param count lanes that there are now; what was dealt otherwise does not count
     */
    static IntUnaryOperator earlier(EngineContext context, int count, boolean includesSwitches) {
        Plan standing = context.standing();
        if (standing == null
                || !(standing.explainer() instanceof LaneExplainer before)
                || before.laneCount != count
                || before.includesSwitches != includesSwitches) {
            return port -> Fabric.NONE;
        }
        Subnet now = context.subnet();
        return port -> before.lane(now.lid(port), now.fabric().portGuid(port));
    }

    private int lane(int lid, long portGuid) {
        int port = lid < lanes.length ? subnet.portOfLid(lid) : Fabric.NONE;
        return port != Fabric.NONE && subnet.fabric().portGuid(port) == portGuid ? lanes[lid] : Fabric.NONE;
    }

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        if (channels.at(sw, out) == Fabric.NONE || escaped[dlid] == null) {
            return "";
        }
        String lane = laneCount == 1 ? "" : " in lane " + lanes[dlid];
        if (escaped[dlid].get(sw)) {
            return "along the escape tree, since other ways would close a credit loop" + lane;
        }
        return channels.at(sw, in) == Fabric.NONE
                ? "least weight when it was routed of the ways that close no credit loop" + lane
                : "";
    }

    @Override
    public String slChangeCause() {
        return "Likely cause: nue_max_num_vls or nue_include_switches was changed, or the SM started anew after hosts came or"
                + " went; SLs follow from the order of port GUIDs then";
    }
}
