/**
 * Freedom from credit loops: the proof of a plan, and the order in which tables may change. A plan of an engine that claims
 * freedom is not written without a {@link io.torussm.deadlock.Certificate}; where an engine claims nothing, the operator
 * reads which {@link io.torussm.deadlock.Cycle} its tables have.
 *
 * <p><b>What enters</b> is a {@link io.torussm.routing.Plan} and nothing of how it came about; for a change also what
 * switches hold ({@link io.torussm.deadlock.HeldTables}). <b>What leaves</b> is a {@link io.torussm.deadlock.Verdict} and a
 * tree for multicast, or a {@link io.torussm.deadlock.Transition}. All of it is pure and may run on any thread; work is
 * split over tasks of the caller's pool, and no result depends on their number.
 * {@link io.torussm.deadlock.RoutingChain} asks the engines that the operator named, in order, and never another.
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
 *      h   h        h: end ports inject slMask(switch, destination LID)
 *      |   |
 *   A--B---C--D     at B: SLs by class {from A, local}; on the link B to C all of them together
 *                   noted for each class at B: (class, link B-C, C's next link) |= SLs
 * </pre>
 *
 * <p>The walk takes exactly the SLs that paths may have. An engine may give two LIDs of one switch different SLs; taking
 * both for each would find circles that no packets close, and refuse a sound plan.
 *
 * <p>{@code SlUsage} holds those notes, {@code DestinationGroups} saves walking equal columns twice (columns of forwarding
 * entries, and of SLs if the plan chooses them by LID), {@code Channels} numbers links and classes, and only
 * {@code ChannelDependencyGraph} turns SLs into VLs. For S switches, D distinct columns and c classes a switch (one to four
 * in practice) the cost is S x D x c steps; memory beyond the tables is two bytes for each (class, link, next link) and
 * task.
 *
 * <p>Trees of neighbouring destinations agree at most switches, so sixteen are walked side by side as long as they do
 * ({@code SimilarTrees}, {@code LaneWalk}).
 *
 * <p><b>The proof after a fault</b> rests on the one before. A certificate keeps its {@code SlUsage}; {@code ChangedTraffic} works out that of
 * the new plan, equal set by set to that of a whole walk, from the parts of trees that lead to an entry which changes, and
 * {@code SameChannels} says which channels are the same though numbers moved. Every edge of the new graph is held against the numbers of before, which are raised where it does not lead upward
 * ({@code RaisedNumbers}); numbers may be equal, and only if that is too much work are all made anew. Whatever does not fit (other SL2VL rows, SLs, or too much at once) is walked
 * as a whole. Passes over all switches are done in ranges side by side ({@code SwitchRanges}), and what packets of groups wait for
 * is found beside the walk. {@code Certificate.isIncremental} tells which it was, so that somebody with time can prove it again.
 *
 * <p><b>The change</b> from one plan to the next is judged by the same walk with two ways out of each switch
 * ({@code MixedTrees}); {@code TransitionPlanner} finds what must wait for what. If few entries change, only packets that
 * meet one of them are walked, and the graph of the proof says the rest: {@code CycleRegion} where cycles can be, {@code SteadyDependencies}
 * which dependencies there come of other packets, and {@code RegionGraph} what is to be cut.
 *
 * <p><b>In advance</b> {@code RoutingChain.foresee} does all that for a fabric that may come, and {@code ReadyPlan} keeps what differs in few bytes. A
 * certificate that was made in advance finds its numbers when they are asked for.
 *
 * <p><b>What fails</b> is searched for a second time, by {@code PathTracer}, which follows single packets and can therefore
 * name a source, a destination and an SL; {@code CycleSearch} makes the circle short enough to read. Limits and the
 * alternatives that were weighed: {@code docs/adr/0003-deadlock-checker.md}.
 *
 * <p><b>What is left out:</b> adaptive routing, where "can" is no property of tables; packets on the way while tables are
 * rewritten by somebody else; and management packets, which have a VL of their own.
 */
@NullMarked
package io.torussm.deadlock;

import org.jspecify.annotations.NullMarked;
