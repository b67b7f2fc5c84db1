package io.torussm.routing;

import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts of earlier plans about a subnet before its faults. Immutable.
 *
 * @param places by node GUID: place and description of each switch of the last plan with coordinates
 * @param tree the fat tree of the subnet without losses; null if none is known
 */
public record EarlierFacts(
        Map<Long, Place> places, @Nullable WholeTree tree) {
    /** No facts. */
    public static final EarlierFacts NONE = new EarlierFacts(Map.of(), null);

    /** Returns the tree of a plan, without positions. */
    public static EarlierFacts of(Plan plan) {
        return new EarlierFacts(Map.of(), plan.explainer().wholeTree().orElse(null));
    }
}
