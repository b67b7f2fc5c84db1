/**
 * The contract of a routing engine, and nothing else: what it is given, what it returns, what both mean. Engines stand in
 * packages of their own ({@code routing.minhop}, {@code routing.dor}, {@code torus2qos}) and know this package, some also what
 * they have in common ({@code routing.balance}), never each other; the checker, the programming of tables, the SA and the
 * console know this package, never an engine.
 *
 * <p><b>What enters.</b> An {@link io.torussm.routing.EngineContext}: a {@link io.torussm.subnet.Subnet} (fabric and LIDs),
 * {@link io.torussm.routing.RoutingOptions} that concern all engines, an {@link io.torussm.routing.EngineConfig} with the
 * engine's own settings and the text of the files that they name, read already, and the plan in force. An engine is a pure
 * function of it: no files, no clock, no log, no state between runs. Therefore it may run on any thread, several runs may
 * go on at once (lost cables are tried ahead), and a result can be repeated from a dump of the fabric.
 *
 * <p><b>What leaves.</b> A {@link io.torussm.routing.Refusal}, which is a small document for the operator, or a
 * {@link io.torussm.routing.Plan}. A plan is a value with one builder:
 *
 * <pre>
 *   LFTs            an array for each switch, egress port by LID       S x (top LID + 1) bytes
 *   SL2VL           a function of (switch, input, output): rows depend on a handful of port classes
 *   path SLs        a function of (source LID, destination LID, wanted): too many pairs for a table
 *   slMask          the SLs that paths from a switch to a LID may have: what the proof takes for sent
 *   multicast       the tree that is wished for, roots of others, SLs of groups
 *   claims          whether tables are said to be free of credit loops, and what cannot be vouched for
 *   explainer       coordinates, lattice, rings, reasons of hops: for people only
 * </pre>
 *
 * <p>SLs are asked by LID and not by switch, since some engines choose an SL for each pair of end ports. One that does not
 * says so ({@link io.torussm.routing.PathSls#isBySwitch}), and the proof need not compare the SLs of single LIDs.
 *
 * <p><b>Hosts come and go</b> more often than switches. {@link io.torussm.routing.Plan#on} carries a plan over to a subnet
 * that lacks some hosts, without routing anew; entries of absent hosts stay.
 *
 * <p><b>What is left out, and why.</b> How a plan is judged ({@link io.torussm.deadlock}): an engine must not be trusted
 * with its own proof. Where a torus is spoken of: {@link io.torussm.routing.PlanExplainer} has the few words
 * (coordinates, lattice, {@link io.torussm.routing.RingState}) that operators share, and an engine without a geometry has
 * none. A new engine is one package with an {@link io.torussm.routing.Engine}, and one line in the daemon's list.
 */
@NullMarked
package io.torussm.routing;

import org.jspecify.annotations.NullMarked;
