package io.torussm.routing;

import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of earlier plans about a subnet before its faults, from which an engine can distinguish losses from
 * a smaller fabric. Immutable.
 *
 * @param places place and description of each switch of the last plan with coordinates, by node GUID
 * @param tree the fat tree of the subnet without losses; null if no fat tree is known
 */
public record EarlierFacts(
        Map<Long, Place> places, @Nullable WholeTree tree) {
    /** No facts. */
    public static final EarlierFacts NONE = new EarlierFacts(Map.of(), null);

    /** Returns the fat tree of a plan, without places. */
    public static EarlierFacts of(Plan plan) {
        return new EarlierFacts(Map.of(), plan.explainer().wholeTree().orElse(null));
    }
}
