/**
 * The order in which the tables of a plan replace those that switches contain ({@link
 * io.torussm.deadlock.transition.Transition}), so that packets close no credit loop in between.
 *
 * <p>The walk is that of the proof with two ways out of each switch, the old one and the new one ({@code MixedTrees}
 * over {@code MixedDestinations}). {@link io.torussm.deadlock.transition.TransitionPlanner} finds entries that are to
 * be written first, last or dropped in between. If few entries change, only packets that meet one of them are walked.
 * The rest comes from the graph of the proof: {@code CycleRegion} finds channels that can be on a cycle, {@code
 * SteadyDependencies} the dependencies of other packets among them, and {@code RegionGraph} the edges to cut.
 *
 * <p>{@link io.torussm.deadlock.transition.StaleTraffic} verifies a plan together with switches that still forward by
 * old tables. Pure. The rules and their reasons: {@code docs/developer/order-of-change.md}.
 */
@NullMarked
package io.torussm.deadlock.transition;

import org.jspecify.annotations.NullMarked;
