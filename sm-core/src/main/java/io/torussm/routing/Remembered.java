package io.torussm.routing;

import io.torussm.subnet.WholeTree;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a subnet from before its faults, as plans had them. Immutable.
 *
 * @param places by node GUID: where each switch stood in the last plan whose engine knew places, such as {@code (2,3,0)}
 * @param tree the fat tree that the subnet is when nothing is absent; null if none is known
 */
public record Remembered(Map<Long, String> places, @Nullable WholeTree tree) {
    /** Nothing. */
    public static final Remembered NONE = new Remembered(Map.of(), null);

    /** Returns the tree that a plan knows, without places. */
    public static Remembered of(Plan plan) {
        return new Remembered(Map.of(), plan.explainer().wholeTree().orElse(null));
    }
}
