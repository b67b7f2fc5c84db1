/**
 * The routing engine {@code auto}, which makes no routes of its own. It uses the engine that routes the fabric
 * best, so that an operator gets proved routes without knowledge of engines.
 *
 * <p><b>Shape.</b> {@link io.torussm.tree.FabricTree} finds the shape of the graph: a tree (hosts and
 * aggregation nodes on spines do not hide it), a hypercube, or another {@link io.torussm.tree.FabricShape}. For
 * each shape there is a list of suitable engines ({@link io.torussm.routing.auto.FittingEngines}). For a torus
 * or a mesh a torus-2QoS.conf is proposed, but not used: the SLs of hosts would depend on a guess.
 *
 * <p><b>Choice.</b> Each of these engines routes, and its plan is proved with switch ports and multicast. A plan
 * without a proof is never used. Of the proved plans, only those with multicast and the most pairs of hosts are
 * compared. Among plans whose highest load is at most 10 % above the lowest ({@link
 * io.torussm.routing.auto.SafestOfSimilar}) the order of criteria is: the most SLs that are safe for hosts with
 * one SL, the lowest load, the fewest hops, the first place in the list. The findings have a line for each
 * engine. In fabrics of 128 or more switches, lash is not used. On a smaller tree, nue is tried if ftree
 * refuses. On a damaged tree, ftree and updn get the spines as roots if they refuse without roots.
 *
 * <p><b>Stability.</b> The active engine is tried first, and used while its plan is proved, unless the fabric
 * has become a tree or a hypercube. So a lost cable does not change the engine. If the SM started while cables
 * of a tree were absent, the choice is made again once the tree is complete. After a restart the same graph
 * gives the same choice.
 *
 * <p><b>Cost.</b> The first sweep runs all engines in the list with a proof for each; later sweeps run one
 * engine. Plans carry the name of the engine that made them.
 */
@NullMarked
package io.torussm.routing.auto;

import org.jspecify.annotations.NullMarked;
