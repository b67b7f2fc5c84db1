package io.torussm.sweep.stages;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.transition.Transition;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of the routing of a subnet. Immutable.
 *
 * @param plan the plan to program; null if no engine routes the subnet and no routes are retained
 * @param multicast the multicast tree of the plan; null if the plan has none
 * @param order computes the order of writes, from the tables that switches contain to those of the plan
 * @param result the result of the engines; null if no engine was run, or if all refused and routes are retained
 */
public record Routed(
        @Nullable Plan plan,
        @Nullable MulticastTree multicast,
        Function<HeldTables, Transition> order,
        RoutingChain.@Nullable ChainResult result) {
    /** No routes. */
    static final Routed NONE = new Routed(null, null, held -> Transition.FREE, null);
}
