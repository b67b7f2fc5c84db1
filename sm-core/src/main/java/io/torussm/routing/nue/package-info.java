/**
 * The routing engine {@code nue} ({@code opensm(8)}, "Nue Routing Algorithm"; Domke, Hoefler, Matsuoka, "Routing
 * on the Dependency Graph: A New Approach to Deadlock-Free High-Performance Routing", HPDC 2016): routes for any
 * topology with any number of VLs, one included. Other engines first find paths and then VLs, which may be too
 * few. This engine first assigns a VL to each destination. Then it searches its paths among those whose turns
 * close no cycle in this VL.
 *
 * <p><b>Lanes.</b> CA ports are assigned to lanes in the order of their port GUIDs ({@link
 * io.torussm.routing.nue.NueDestinations}). The SL of a path is the lane of its destination, for any source, as
 * in OpenSM built without METIS. With one lane a path has the requested SL. Routers, which OpenSM does not
 * route, follow. With {@code nue_include_switches} ports 0 of switches are assigned like hosts. Without it, they
 * come last in the first lane, where OpenSM routes them without regard to loops. A port keeps the lane that it
 * has in the active plan, so that SLs stay when hosts are lost and come back.
 *
 * <p><b>Escape paths.</b> In each lane, the turns on a spanning tree towards the destinations of the lane are
 * added first ({@link io.torussm.routing.nue.EscapeTree}). The tree of each lane has another root near the
 * centre of the fabric. So each destination always has a path, and the engine refuses only unconnected fabrics.
 * In the first lane all turns of the tree are added. The same tree carries multicast, which is therefore free of
 * credit loops together with unicast.
 *
 * <p><b>Paths.</b> For each LID, switches join a tree that grows from the destination, by the least weight. A
 * switch joins if the turn of its packets closes no cycle with turns already in use ({@link
 * io.torussm.routing.nue.LaneTrees}, {@link io.torussm.routing.lanes.Lanes}). If it cannot join, a neighbour
 * changes its path so that the switch can join. If this fails, the switch sends along the escape tree, and so do
 * other switches whose turn would close a cycle. In OpenSM, all switches then use the escape tree. Weights begin
 * and grow as in {@code sssp}, over all lanes. Paths may be longer than the shortest; a finding says by how
 * much.
 *
 * <p><b>Active routes.</b> If nothing was added to the fabric since the active plan, the remaining cables of the
 * escape trees stay in the trees. Then the turns of all intact paths are added before any other. Almost all of
 * these close no cycle, since they did not before. Only new cables of an escape tree may close a cycle with
 * them.
 *
 * <p><b>Difference.</b> Tables differ from OpenSM's, which depend on ties in its heap and on rounding.
 *
 * <p><b>Cost.</b> For each LID a search of all cables; for each turn and lane at most one search for a cycle,
 * since a turn that closes one always will.
 */
@NullMarked
package io.torussm.routing.nue;

import org.jspecify.annotations.NullMarked;
