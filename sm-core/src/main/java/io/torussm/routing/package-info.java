/**
 * Routing as a pure function: {@link io.torussm.routing.RoutingEngine} turns a subnet into a
 * {@link io.torussm.routing.RoutingPlan} or refuses; {@link io.torussm.routing.DeadlockChecker} judges any plan, from
 * its tables alone.
 */
@NullMarked
package io.torussm.routing;

import org.jspecify.annotations.NullMarked;
