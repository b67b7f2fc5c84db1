/**
 * The routing engine {@code dfsssp} ({@code opensm(8)}, "(DF)SSSP Routing Algorithm"; Domke, Hoefler, Nagel, "Deadlock-Free Oblivious
 * Routing for Arbitrary Topologies", IPDPS 2011): the routes of {@code sssp}, and for each path a lane such that the paths in no
 * lane wait for each other in a circle. Each lane has SLs of its own, and each SL a VL.
 *
 * <p><b>Lanes.</b> All paths from hosts begin in the first one; while it has a cycle, the paths over its weakest turn go to the next
 * ({@link io.torussm.routing.dfsssp.CycleBreaking}). Lanes are OpenSM's, path by path. Where VLs do not suffice for them, paths are
 * put one by one into the first lane where they close no cycle, which takes fewer on most fabrics. Hosts of a switch share its paths, and so does
 * its port 0, which OpenSM leaves on SL 0, where it closes credit loops. Switches without hosts come last: their paths go where
 * they close no cycle ({@link io.torussm.routing.dfsssp.Placement}), and if VLs do not suffice for one, nobody is granted it.
 * Where they do not suffice for hosts the engine refuses, and says how many it takes.
 *
 * <p><b>SLs.</b> Lanes that are left over are shared out as OpenSM does it ({@link io.torussm.routing.dfsssp.Spread}), but one, SL 0,
 * which groups have for themselves. Which of several SLs a path has follows from LIDs; OpenSM draws lots at every query. The SL
 * back is mostly another, as in OpenSM, and the proof covers paths with their own SL only: whoever answers has to ask for the path.
 *
 * <p><b>Multicast</b> shares SL 0 with paths where these need all VLs. Then it goes before ports 0 of switches without hosts.
 *
 * <p><b>After a loss</b> paths that are whole keep route and SL; others join them along the least weight, and keep their SL if they
 * close no cycle with it. A note counts. As soon as anything is new, or where that does not succeed, all is found anew; so a fabric
 * that is as it was has the tables and SLs that it had, and so has one whose SM is another.
 *
 * <p><b>Cost.</b> For S switches and L LIDs, S x L bytes of lanes and of SLs; cycles of a lane are found in one search that goes on
 * where a cycle was broken.
 */
@NullMarked
package io.torussm.routing.dfsssp;

import org.jspecify.annotations.NullMarked;
