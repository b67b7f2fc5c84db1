/**
 * The trusted base of the proof: it decides whether the tables of a plan are free of credit loops. This essay is for an
 * auditor. No other package needs to be read to trust a certificate of {@link
 * io.torussm.deadlock.DeadlockChecker#check} or {@link
 * io.torussm.deadlock.DeadlockChecker#prove(io.torussm.routing.Plan, io.torussm.routing.RoutingOptions)}.
 *
 * <p><b>The input</b> is a {@link io.torussm.routing.Plan}: forwarding tables, SL2VL tables and the SLs of paths. Its
 * engine does not matter. <b>The output</b> is a {@link io.torussm.deadlock.Verdict}: a {@link
 * io.torussm.deadlock.Certificate}, a {@link io.torussm.deadlock.Cycle}, or {@link io.torussm.deadlock.BrokenTables}
 * that lose packets. The code is pure and may run on any thread. Work is split over tasks of the caller's pool; results
 * do not depend on their number.
 *
 * <p><b>The question.</b> A packet uses buffers of one virtual lane of one link (a <em>channel</em>) while it waits for
 * credits of the next. If channels can wait for each other in a cycle, traffic can stop for ever. Routing is
 * deterministic, so this is a property of tables (Dally and Seitz 1987). It is decided by a graph: its nodes are
 * channels, and an edge stands wherever a path leads from one channel to the next. The lemma and its assumptions are in
 * {@code docs/developer/proof.md}.
 *
 * <p><b>The walk.</b> The naive search follows each source, destination and SL hop by hop. But for one destination LID
 * the forwarding entries of all switches form an in-tree. Where paths have met, their past matters only through the
 * input port and the SL: {@code VL = SL2VL(input, output, SL)}. {@code InTrees} therefore walks each tree once, leaves
 * first, and moves sets of SLs (16 bits) by ingress class. An ingress class is a set of input ports with equal SL2VL
 * rows:
 *
 * <pre>
 *      h   h        h: end ports inject slMask(switch, destination LID)
 *      |   |
 *   A--B---C--D     at B: one set of SLs for each class {from A, local}; the link B to C carries their union
 *                   recorded for each class at B: (class, link B-C, C's next link) |= SLs
 * </pre>
 *
 * <p>The walk uses exactly the SLs that paths may have. An engine may give two LIDs of one switch different SLs. If
 * the walk used both SLs for both LIDs, it would find cycles that no packets close, and would reject a sound plan.
 *
 * <p><b>The order of reading.</b>
 *
 * <ol>
 *   <li>{@code Channels} numbers links and ingress classes, and folds SL2VL rows as ports use them.
 *   <li>{@code DestinationGroups} are LIDs with the same column of forwarding entries and SLs, which
 *       {@code ColumnComparison} finds, so that each tree is walked once.
 *   <li>{@code InTrees} walks, sixteen similar trees side by side ({@code SimilarTrees}, {@code LaneWalk}); {@code
 *       SlUsage} keeps the sets of SLs. {@code SwitchRanges} splits passes over all switches into tasks.
 *   <li>{@code ChannelDependencyGraph} turns SLs into VLs, and sets of SLs into edges ({@code CollectedEdges}). {@code
 *       MulticastDependencies} has the edges of multicast groups on a tree ({@code TreeSlUsage}).
 *   <li>{@code ChannelDependencyGraph.numbering} sorts topologically. A numbering exists if and only if there is no
 *       cycle.
 *   <li>{@code DeadlockChecker} puts these parts together, and {@code Certificate} contains the numbering.
 *   <li>{@code Certificate.verify} follows single packets ({@code PathTracer}, {@code TreeWalk}) and compares numbers.
 *       It shares nothing with the walk but {@code Channels}.
 *   <li>{@code CycleSearch}, {@code CycleReport}: a short cycle, with a source, a destination and an SL for each edge.
 * </ol>
 *
 * <p>For S switches, D distinct columns and c classes of a switch (one to four in practice) the cost is S x D x c
 * steps. Memory beyond the tables is two bytes for each (class, link, next link) and task.
 *
 * <p><b>Three interfaces to code that is not trusted.</b> Packages below this one add to the checker by arguments only:
 *
 * <ul>
 *   <li>A {@link io.torussm.deadlock.DeadlockChecker.TreeSource} proposes trees for multicast. The checker proves each
 *       of them, so a wrong tree costs time only.
 *   <li>A {@link io.torussm.deadlock.DeadlockChecker.TrafficSource} saves the walk ({@code deadlock.incremental}). The
 *       certificate is then only as good as the source: {@link io.torussm.deadlock.Certificate#isIncremental} is true.
 *       When the SM is idle, {@link io.torussm.deadlock.Certificate#fullProofDifference} proves the whole plan again.
 *   <li>The second constructor of {@code Certificate} is for a plan that was proved in advance ({@code
 *       deadlock.chain}). Such a certificate is incremental, too. A new proof computes its numbers at their first use.
 * </ul>
 *
 * <p>On random tables, {@code DeadlockCheckerTwinTest} compares verdicts, channels and edges with those of a checker
 * that follows each packet alone. {@code docs/developer/adr/0003-deadlock-checker.md} has the limits of the method.
 *
 * <p><b>Not covered:</b> adaptive routing, where the next channel is no property of tables; packets in flight while
 * tables are written ({@code deadlock.transition}); and management packets, which use VL15.
 */
@NullMarked
package io.torussm.deadlock;

import org.jspecify.annotations.NullMarked;
