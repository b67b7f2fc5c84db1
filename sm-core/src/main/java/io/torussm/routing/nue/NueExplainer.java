package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a plan of this engine: the lanes of destinations, and the reasons for hops. Immutable.
 *
 * @param includesSwitches true if ports 0 of switches were assigned to lanes like hosts
 * @param lanes lane by LID; {@link Fabric#NONE} for a LID without a lane
 * @param escapes escape tree by lane
 * @param escaped switches whose packets use the escape tree, by LID; null for an unused LID
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
     * @return explainer; null without an active plan of this engine, or if its lanes were assigned by other settings
     */
    static @Nullable NueExplainer of(@Nullable Plan active, int count, boolean includesSwitches) {
        return active != null
                        && active.explainer() instanceof NueExplainer previous
                        && previous.escapes.length == count
                        && previous.includesSwitches == includesSwitches
                ? previous
                : null;
    }

    /**
     * Returns the lane that an end port of another subnet has in this plan; {@link Fabric#NONE} if the plan does not
     * contain it with the same LID and port GUID.
     */
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
        if (channels.channelAt(sw, out) == Fabric.NONE || along == null) {
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
