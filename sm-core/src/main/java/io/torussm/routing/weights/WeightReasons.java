package io.torussm.routing.weights;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.balance.Links;

/**
 * The explanation of the hops of paths of least weight.
 *
 * @param links the cables between switches
 */
public record WeightReasons(Links links) implements PlanExplainer {
    /** The reason for a hop. It names the time, because weights changed after the destination was routed. */
    public static final String LEAST_WEIGHT = "least weight when it was routed: few hops, over links with few paths";

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        return links.farSwitch(links.fabric().port(sw, out)) == Fabric.NONE ? "" : LEAST_WEIGHT;
    }
}
