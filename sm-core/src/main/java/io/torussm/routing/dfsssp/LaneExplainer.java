package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.lanes.Channels;
import io.torussm.routing.lanes.KeptPaths;

/**
 * What paths have their SL for.
 *
 * @param sls by switch, then by LID
 */
record LaneExplainer(Channels channels, byte[][] sls) implements PlanExplainer {
    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        boolean isFirst = channels.at(sw, in) == Fabric.NONE && channels.at(sw, out) != Fabric.NONE;
        return isFirst && sls[sw][dlid] != Fabric.NONE
                ? "least weight when it was routed; on SL " + sls[sw][dlid] + " it closes no credit loop"
                : "";
    }

    @Override
    public String slChangeCause() {
        return KeptPaths.CAUSE;
    }
}
