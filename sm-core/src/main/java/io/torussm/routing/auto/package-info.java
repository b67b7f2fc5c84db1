/**
 * The routing engine {@code auto}, which makes no routes of its own: it takes those of the engine that routes the fabric best, so
 * that nobody has to know engines to have a fabric that is routed and proved.
 *
 * <p><b>What it looks at.</b> Whether the graph is a tree (no cable joins switches that are equally far from hosts), a hypercube, or
 * something else ({@link io.torussm.routing.auto.FabricKind}); for each of these there is a list of engines that fit. Where the graph is a
 * torus or a mesh a torus-2QoS.conf is proposed, but not used: the SLs of hosts would hang on a guess.
 *
 * <p><b>What it takes.</b> Each of these engines routes, and is proved with switch ports and multicast; one without a proof is never
 * taken. The best of the others has, in this order, multicast, the most pairs of hosts with a path, the fewest paths over the cable with
 * the most, the fewest hops, the first place in the list. The findings have a line for each. From 128 switches on nue is asked instead of lash,
 * which takes too long then. On a damaged tree ftree and updn get the
 * switches farthest from hosts for roots, if they refuse without.
 *
 * <p><b>What stays.</b> The engine in force is asked first and taken as long as it is proved, unless the fabric became a tree or a hypercube
 * and was none: a cable that is lost changes no engine. After a restart the same graph has the same choice.
 *
 * <p><b>Cost.</b> That of all engines in the list, and of a proof for each, at the first sweep; later that of one. Plans carry the name of
 * the engine that made them.
 */
@NullMarked
package io.torussm.routing.auto;

import org.jspecify.annotations.NullMarked;
