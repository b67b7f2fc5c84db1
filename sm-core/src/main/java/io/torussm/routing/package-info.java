/**
 * Routing as a pure function, and the judge of what comes out of it. A {@link io.torussm.routing.Engine} turns a
 * subnet into a {@link io.torussm.routing.Plan} or refuses; {@link io.torussm.deadlock.RoutingChain} asks the
 * engines that the operator named, in order, and never another; {@link io.torussm.deadlock.DeadlockChecker} judges any
 * plan from its tables alone, and a plan of an engine that promises freedom from deadlock is not written without a
 * {@link io.torussm.deadlock.Certificate}.
 *
 * <p><b>The question.</b> A packet holds buffers of one virtual lane of one link (a <em>channel</em>) while it waits for
 * those of the next. If channels can wait for each other in a circle, traffic can stop for ever. Routing is
 * deterministic, so "can" is a property of tables (Dally and Seitz 1987), and it is decided by a graph: channels, and an
 * edge wherever some path leads from one to the next.
 *
 * <p><b>The walk.</b> Naively that is every (source, destination, SL), hop by hop. But for one destination LID the
 * forwarding entries of all switches make an in-tree, and where paths have met, their past matters only through the
 * input port and the SL: {@code VL = SL2VL(input, output, SL)}. So {@code InTrees} walks each tree once, leaves first,
 * moving sets of SLs (16 bits) by ingress class:
 *
 * <pre>
 *      h   h        h: end ports inject slMask(switch, destination)
 *      |   |
 *   A--B---C--D     at B: SLs by class {from A, local}; on the link B to C all of them together
 *                   noted for each class at B: (class, link B-C, C's next link) |= SLs
 * </pre>
 *
 * <p>{@code Traffic} holds those notes, {@code DestinationGroups} saves walking equal columns twice, {@code Channels}
 * numbers links and classes, and only {@code ChannelDependencyGraph} turns SLs into VLs. For S switches, D distinct
 * columns and c classes a switch (one to four in practice) the cost is S x D x c steps; memory beyond the tables is two
 * bytes for each (class, link, next link) and task.
 *
 * <p><b>The change</b> from one plan to the next is judged by the same walk with two ways out of each switch
 * ({@code MixedTrees}); {@code TransitionPlanner} finds what must wait for what. If few entries change, only packets that
 * meet one of them are walked, and the graph of the proof says the rest.
 *
 * <p><b>What fails</b> is searched for a second time, by {@code Paths}, which follows single packets and can therefore
 * name a source, a destination and an SL; {@code CycleSearch} makes the circle short enough to read. Limits and the
 * alternatives that were weighed: {@code docs/developer/adr/0003-deadlock-checker.md}.
 */
@NullMarked
package io.torussm.routing;

import org.jspecify.annotations.NullMarked;
