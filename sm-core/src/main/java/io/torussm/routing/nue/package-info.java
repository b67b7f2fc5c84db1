/**
 * The routing engine {@code nue} ({@code opensm(8)}, "Nue Routing Algorithm"; Domke, Hoefler, Matsuoka, "Routing on the Dependency Graph: A
 * New Approach to Deadlock-Free High-Performance Routing", HPDC 2016): routes for any topology with any number of VLs, one
 * included. Other engines find paths first and VLs for them afterwards, of which there may be too few; here destinations have their VL
 * first, and paths are searched among those whose turns close no cycle in it.
 *
 * <p><b>Lanes.</b> CA ports are dealt to lanes in the order of their port GUIDs ({@link io.torussm.routing.nue.Destinations}); the SL of a path is
 * the lane of its destination, wherever it comes from, as in OpenSM built without METIS. With one lane a path has the SL
 * that is asked for. Routers, which OpenSM does not route, follow. Ports 0 of switches are dealt among hosts with {@code nue_include_switches};
 * without, they come last in the first lane, where OpenSM routes them without regard to loops. A port keeps the lane that it has
 * in the plan in force, so that SLs stay when hosts are lost and found.
 *
 * <p><b>Escape paths.</b> In each lane the turns on a spanning tree towards its destinations are taken before anything else
 * ({@link io.torussm.routing.nue.EscapeTree}), each tree around another centre of the fabric. So there always is a way, and the engine refuses nothing but what is not connected.
 * In the first lane it is all turns of the tree, which is also that of multicast; so this is free of credit loops together with unicast.
 *
 * <p><b>Paths.</b> For each LID switches join a tree that grows from the destination, by the least weight, if the turn their packets take
 * closes no cycle with those that are taken ({@link io.torussm.routing.nue.LaneTrees}, {@link io.torussm.routing.lanes.Lanes}). If a switch cannot join, a
 * neighbour goes another way for its sake; else it sends along the escape tree, and so do those that come by there and
 * cannot take the turn. In OpenSM all switches do then. Weights begin and grow as those of {@code sssp}, over all lanes. Paths may be longer than the shortest;
 * a note says how much.
 *
 * <p><b>Routes in force.</b> If nothing is new since they were made, the cables of the escape trees that are left stay in them, and then the turns of
 * all paths that are whole are taken before any other: nearly all of these fit, as they did together, and only new cables of an
 * escape tree may close a cycle with them.
 *
 * <p><b>What it leaves out.</b> Tables are not OpenSM's: these hang on ties of its heap and on rounding.
 *
 * <p><b>Cost.</b> For each LID a search of all cables; for each turn and lane one search for a cycle at most, as what closes one does so
 * for ever.
 */
@NullMarked
package io.torussm.routing.nue;

import org.jspecify.annotations.NullMarked;
