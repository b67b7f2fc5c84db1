/**
 * The contract of a routing engine: its input, its output, and their meaning. Each engine has a package of its
 * own ({@code routing.minhop}, {@code routing.dor}, {@code torus2qos}) that depends on this package. Some
 * engines also use {@code routing.balance}, {@code routing.weights} or {@code routing.lanes}. No engine depends
 * on another. The checker, the programming of tables, the SA and the console depend on this package, never on an
 * engine.
 *
 * <p><b>Input.</b> An {@link io.torussm.routing.EngineContext}: a {@link io.torussm.subnet.Subnet} (fabric and
 * LIDs), {@link io.torussm.routing.RoutingOptions} for all engines, an {@link io.torussm.routing.EngineConfig}
 * with the engine's own settings and the contents of the files that they name, and the active plan. An engine is
 * a pure function of this input: no files, no clock, no log, no state between runs. Therefore it may run on any
 * thread, and several runs may take place simultaneously (plans for lost cables are precomputed). A result can
 * be repeated from a dump of the fabric.
 *
 * <p><b>Output.</b> A {@link io.torussm.routing.Refusal} with findings for the operator, or a {@link
 * io.torussm.routing.Plan}. A plan is a value with these parts:
 *
 * <pre>
 *   LFTs            an array for each switch, egress port by LID       S x (top LID + 1) bytes
 *   SL2VL           a function of (switch, input, output): rows depend on a handful of port classes
 *   path SLs        a function of (source LID, destination LID, wanted): too many pairs for a table
 *   slMask          the SLs that paths from a switch to a LID may have: the proof assumes packets with all of them
 *   multicast       the preferred tree, roots of others, SLs of groups
 *   claims          freedom from credit loops, and reasons for which it is not guaranteed
 *   explainer       coordinates, lattice, rings, reasons of hops: only for people
 * </pre>
 *
 * <p>SLs are a function of LIDs and not of switches, since some engines choose an SL for each pair of end ports.
 * If an engine chooses by switch ({@link io.torussm.routing.PathSls#isBySwitch}), the proof need not compare the
 * SLs of single LIDs.
 *
 * <p><b>Hosts come and go</b> more often than switches. {@link io.torussm.routing.Plan#onSubnet} transfers a plan to a
 * subnet that lacks some hosts, without another run of the engine; entries of absent hosts stay.
 *
 * <p><b>Not included.</b> The proof of a plan is in {@link io.torussm.deadlock}, because an engine must not
 * prove its own routes. The geometry of a torus is in its engine. {@link io.torussm.routing.PlanExplainer} has
 * only the terms that operators use (coordinates, lattice, {@link io.torussm.routing.RingState}), and an engine
 * without a geometry has none. A new engine is one package with an {@link io.torussm.routing.Engine}, and one
 * line in the daemon's list.
 */
@NullMarked
package io.torussm.routing;

import org.jspecify.annotations.NullMarked;
