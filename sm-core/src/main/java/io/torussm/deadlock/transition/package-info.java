/**
 * The order in which the tables of a plan replace those that switches contain ({@link
 * io.torussm.deadlock.transition.Transition}), so that packets close no credit loop in between.
 *
 * <p>The walk is that of the proof, but a switch forwards by its old entry and by its new entry ({@code MixedTrees}
 * over {@code MixedDestinations}). {@link io.torussm.deadlock.transition.TransitionPlanner} finds entries that must be
 * written first, written last, or dropped in between. If few entries change, only packets that pass such an entry are
 * walked. All other dependencies come from the graph of the proof: {@code CycleRegion} finds channels that can be on a
 * cycle, {@code SteadyDependencies} the dependencies of other packets among them, and {@code RegionGraph} the edges to
 * cut.
 *
 * <p>{@link io.torussm.deadlock.transition.StaleTraffic} verifies a plan together with switches that still forward by
 * old tables. Pure: any thread may call it. The rules and their reasons: {@code docs/developer/order-of-change.md}.
 */
@NullMarked
package io.torussm.deadlock.transition;

import org.jspecify.annotations.NullMarked;
