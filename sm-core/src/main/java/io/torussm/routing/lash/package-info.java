/**
 * The routing engine {@code lash} ({@code opensm(8)}, "LASH Routing Algorithm"; Skeie, Lysne, Theiss, "Layered
 * Shortest Path (LASH) Routing in Irregular System Area Networks", 2002): shortest paths on any topology, and a
 * lane for each pair of switches such that no lane has a credit loop. The SL of a path is {@code lash_start_vl}
 * plus its lane, in both directions; SL2VL gives each lane a VL of its own.
 *
 * <p><b>The output</b> equals OpenSM's, entry by entry and SL by SL. {@link
 * io.torussm.routing.lash.ShortestRoutes} uses the search trees of all switches, {@link
 * io.torussm.routing.lash.Layers} the random numbers of OpenSM's first sweep. OpenSM continues these numbers
 * from sweep to sweep. Here they begin again, so a fabric that is routed without previous routes always has the
 * same SLs. {@code do_mesh_analysis} ({@link io.torussm.routing.lash.MeshAnalysis}) first puts switches and
 * links in order of dimension.
 *
 * <p><b>The number of lanes</b> follows from the VLs that links will have after programming. OpenSM uses the VLs
 * at discovery, so it notices a change one sweep late. Only links between switches count, and the operator's
 * SL2VL tables as far as they separate SLs. Without QoS there is one lane. If the lanes do not suffice, the
 * engine refuses.
 *
 * <p><b>Multicast</b> with SL 0 is in the first lane, unless {@code lash_start_vl} is above 0. OpenSM does not
 * take this into account, and most fabrics can deadlock. Here the checker looks for a tree that closes no credit
 * loop with the paths. If no such tree exists, lanes are assigned again around a tree. This changes SLs, but not
 * tables.
 *
 * <p><b>After a loss</b> pairs with complete routes in both directions keep routes and lane. The other pairs get
 * new shortest routes. They keep their lane if they close no cycle in it; otherwise they get the first lane
 * without a cycle ({@link io.torussm.routing.lash.EarlierPairs}). The remaining shortest routes are as short as
 * new ones, so both can be combined. If a switch or a cable is new, or if lanes do not suffice, all routes and
 * lanes are computed again.
 *
 * <p><b>LMC</b> is supported, as in OpenSM in spite of its manual page. All LIDs of a port have one route,
 * except for parallel cables with {@code do_mesh_analysis}. {@code scatter_ports} does not affect the random
 * numbers, unlike in OpenSM.
 *
 * <p><b>Cost.</b> For S switches, S x S entries of routes and of lanes, and as many bits for each lane. The
 * links of a lane are kept in topological order ({@link io.torussm.routing.lash.Lane}). So a route is followed
 * once for each lane that it is tried in, and a search is needed only if the route adds a dependency against
 * that order. OpenSM searches the whole lane for each route. A torus of 8x8x8 takes two seconds, and half a
 * second after a loss.
 */
@NullMarked
package io.torussm.routing.lash;

import org.jspecify.annotations.NullMarked;
