package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of destinations, and the reasons for their paths.
 *
 * @param includesSwitches true if ports 0 of switches were assigned to lanes, too
 * @param lanes by LID; {@link Fabric#NONE} if there is none
 * @param escapes by lane
 * @param escaped by LID: switches whose packets use the escape tree; null for an unused LID
 */
record NueExplainer(
        Subnet subnet,
        SwitchChannels channels,
        boolean includesSwitches,
        byte[] lanes,
        EscapeTree[] escapes,
        @Nullable BitSet[] escaped)
        implements PlanExplainer {
    /**
     * Returns the explainer of the active plan.
     *
     * @param count number of lanes
     * @return null if there is none, or if lanes were assigned in another way
     */
    static @Nullable NueExplainer of(@Nullable Plan active, int count, boolean includesSwitches) {
        return active != null
                        && active.explainer() instanceof NueExplainer previous
                        && previous.escapes.length == count
                        && previous.includesSwitches == includesSwitches
                ? previous
                : null;
    }

    /** Returns the lane that a port had; {@link Fabric#NONE} if none. */
    int laneOf(Subnet currentSubnet, int port) {
        return lane(currentSubnet.lid(port), currentSubnet.fabric().portGuid(port));
    }

    private int lane(int lid, long portGuid) {
        int port = lid < lanes.length ? subnet.portOfLid(lid) : Fabric.NONE;
        return port != Fabric.NONE && subnet.fabric().portGuid(port) == portGuid ? lanes[lid] : Fabric.NONE;
    }

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        BitSet along = escaped[dlid];
        if (channels.at(sw, out) == Fabric.NONE || along == null) {
            return "";
        }
        String lane = escapes.length == 1 ? "" : " in lane " + lanes[dlid];
        if (along.get(sw)) {
            return "along the escape tree, since other ways would close a credit loop" + lane;
        }
        return "least weight when it was routed of the ways that close no credit loop" + lane;
    }

    @Override
    public String slChangeCause() {
        return "Likely cause: nue_max_num_vls or nue_include_switches was changed, or the SM started again after hosts"
                + " came or went; SLs follow from the order of port GUIDs then";
    }
}
