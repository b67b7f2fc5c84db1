/**
 * The routing engine {@code auto}, which makes no routes of its own: it takes those of the engine that routes the fabric best, so
 * that nobody has to know engines to have a fabric that is routed and proved.
 *
 * <p><b>Shape.</b> {@link io.torussm.tree.FabricTree} finds the shape of the graph: a tree, which hosts and aggregation
 * nodes on spines do not hide, a hypercube, or another {@link io.torussm.tree.FabricShape}. For each of these there is a list
 * of engines that fit ({@link io.torussm.routing.auto.FittingEngines}). For a torus or a mesh a torus-2QoS.conf is proposed,
 * but not used: the SLs of hosts would depend on a guess.
 *
 * <p><b>Choice.</b> Each of these engines routes, and is proved with switch ports and multicast. One without a proof is never taken. Of the
 * others those with multicast and the most pairs of hosts count. Among plans whose highest load is at most 10 % above the lowest
 * ({@link io.torussm.routing.auto.SafestOfSimilar}) the one with the most SLs that are safe for hosts which use one SL is taken, then the one
 * with the lowest load, the fewest hops, the first place in the list. The findings have a line for each. From 128 switches on lash is left
 * out. On a tree nue is asked if ftree refuses and there are fewer switches. On a damaged tree ftree and updn get the spines for roots, if they refuse without.
 *
 * <p><b>What stays.</b> The engine in force is asked first and taken as long as it is proved, unless the fabric became a tree or a hypercube
 * and was none: a cable that is lost changes no engine. If the SM started
 * while cables of a tree were absent, the choice is made again once the tree is whole.
 * After a restart the same graph has the same choice.
 *
 * <p><b>Cost.</b> That of all engines in the list, and of a proof for each, at the first sweep; later that of one. Plans carry the name of
 * the engine that made them.
 */
@NullMarked
package io.torussm.routing.auto;

import org.jspecify.annotations.NullMarked;
