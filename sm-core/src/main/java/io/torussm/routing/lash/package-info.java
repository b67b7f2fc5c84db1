/**
 * The routing engine {@code lash} ({@code opensm(8)}, "LASH Routing Algorithm"; Skeie, Lysne, Theiss, "Layered Shortest Path (LASH)
 * Routing in Irregular System Area Networks", 2002): shortest paths on any topology, and for each pair of switches a lane
 * such that the paths in no lane wait for each other in a circle. The SL of a path is {@code lash_start_vl} plus its lane, in both
 * directions; SL2VL gives each lane a VL of its own.
 *
 * <p><b>What leaves</b> is OpenSM's, entry by entry and SL by SL: {@link io.torussm.routing.lash.ShortestRoutes} out of the search
 * trees of all switches, {@link io.torussm.routing.lash.Layers} with the random numbers of its first sweep. OpenSM goes on with
 * these numbers from sweep to sweep; here they begin anew, so a fabric that is routed without regard to what was before always has the
 * same SLs. {@code do_mesh_analysis}
 * ({@link io.torussm.routing.lash.MeshAnalysis}) puts switches and links in order of dimension before.
 *
 * <p><b>Lanes that there are</b> are counted with the VLs that links are going to have; OpenSM counts those that they come up with, and
 * notices one sweep late. Only links between switches count, and the operator's SL2VL tables as far as they keep SLs
 * apart. Without QoS there is one lane. Where lanes do not suffice the engine refuses.
 *
 * <p><b>Multicast</b> with SL 0 is in the first lane, unless {@code lash_start_vl} is above 0. OpenSM takes no heed of that, and most
 * fabrics can deadlock. Here the checker looks for a tree that goes with the paths; if there is none the lanes are found
 * again around one. SLs are others then, tables are not.
 *
 * <p><b>After a loss</b> pairs whose routes are whole there and back keep routes and lane; the others get new shortest routes, and keep
 * their lane if they close no cycle in it, or else get the first where they do not ({@link io.torussm.routing.lash.EarlierPairs}). What is
 * left of shortest routes is as short as new ones, so both go together. As soon as a switch or a cable is new, or where lanes do not
 * suffice, all is found anew.
 *
 * <p><b>LMC</b> is routed, as OpenSM does in spite of its manual page: all LIDs of a port have one route, but for parallel cables
 * with {@code do_mesh_analysis}. {@code scatter_ports} has no influence on the numbers drawn, as it has in OpenSM.
 *
 * <p><b>Cost.</b> For S switches, S x S entries of routes and of lanes, and as many bits for each lane. The links of a lane are kept
 * in an order in which none waits for an earlier one ({@link io.torussm.routing.lash.Lane}), so a route is followed once for each
 * lane that it is tried in, and a search is needed only where it brings a new dependency against that order; the reference
 * searches the whole lane for each. A torus of 8x8x8 takes two seconds, and half
 * a second after a loss.
 */
@NullMarked
package io.torussm.routing.lash;

import org.jspecify.annotations.NullMarked;
