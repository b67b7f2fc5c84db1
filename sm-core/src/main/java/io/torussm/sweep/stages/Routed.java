package io.torussm.sweep.stages;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.transition.Transition;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a subnet.
 *
 * @param plan null if no engine routes it
 * @param multicast the tree of the plan; null if it has none
 * @param order computes the order of writes while tables change to the plan
 * @param result the results of engines and checks; null if none was run, or none has routes and the active
 * ones remain
 */
public record Routed(
        @Nullable Plan plan,
        @Nullable MulticastTree multicast,
        Function<HeldTables, Transition> order,
        RoutingChain.@Nullable ChainResult result) {
    /** No routes. */
    static final Routed NOT = new Routed(null, null, held -> Transition.FREE, null);
}
