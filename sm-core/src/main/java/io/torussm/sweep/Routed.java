package io.torussm.sweep;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.RoutingChain;
import io.torussm.deadlock.Transition;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The routes of a subnet.
 *
 * @param plan null if no engine routes it
 * @param multicast the tree of the plan; null if it has none
 * @param order finds what must wait for what while tables change to the plan
 * @param result what the engines and the check say; null if none was asked, or none has routes and those in force stay
 */
record Routed(
        @Nullable Plan plan,
        @Nullable MulticastTree multicast,
        Function<HeldTables, Transition> order,
        RoutingChain.@Nullable ChainResult result) {
    /** There are none. */
    static final Routed NOT = new Routed(null, null, held -> Transition.FREE, null);
}
