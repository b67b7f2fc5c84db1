package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.lanes.KeptPaths;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.routing.weights.WeightReasons;

/**
 * The explanation of a plan of this engine: the reasons for hops and SLs.
 *
 * @param sls SLs {@code [switch][LID]}, {@link Fabric#NONE} for no path
 */
record LaneExplainer(SwitchChannels channels, byte[][] sls) implements PlanExplainer {
    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        if (channels.channelAt(sw, out) == Fabric.NONE) {
            return "";
        }
        boolean isFirst = channels.channelAt(sw, in) == Fabric.NONE && sls[sw][dlid] != Fabric.NONE;
        return WeightReasons.LEAST_WEIGHT
                + (isFirst ? "; lane of SL " + sls[sw][dlid] + ", on which the path closes no credit loop" : "");
    }

    @Override
    public String slChangeCause() {
        return KeptPaths.CAUSE;
    }
}
