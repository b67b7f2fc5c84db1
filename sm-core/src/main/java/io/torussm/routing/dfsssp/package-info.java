/**
 * The routing engine {@code dfsssp} ({@code opensm(8)}, "(DF)SSSP Routing Algorithm"; Domke, Hoefler, Nagel,
 * "Deadlock-Free Oblivious Routing for Arbitrary Topologies", IPDPS 2011). It uses the routes of {@code sssp},
 * and assigns each path a lane such that no lane has a credit loop. Each lane has SLs of its own, and each SL a
 * VL.
 *
 * <p><b>Lanes.</b> All paths from hosts begin in the first lane. While it has a cycle, the paths over its
 * weakest turn move to the next lane ({@link io.torussm.routing.dfsssp.CycleBreaking}). Lanes equal OpenSM's,
 * path by path. If VLs do not suffice, each path is instead assigned to the first lane in which it closes no
 * cycle. This needs fewer lanes on most fabrics. Hosts of a switch share its paths, and so does its port 0.
 * OpenSM leaves port 0 on SL 0, which closes credit loops. Switches without hosts come last: their paths get
 * lanes in which they close no cycle ({@link io.torussm.routing.dfsssp.LanePlacement}). If VLs do not suffice
 * for such a path, no path record is given for it. If they do not suffice for hosts, the engine refuses and
 * reports the number needed.
 *
 * <p><b>SLs.</b> Unused lanes are distributed as in OpenSM ({@link io.torussm.routing.dfsssp.LaneSpreading}),
 * except for one, SL 0, which is reserved for multicast. If a lane has several SLs, LIDs determine the SL of a
 * path; OpenSM draws it at random at each query. The reverse path mostly has another SL, as in OpenSM, and the
 * proof covers only paths with their own SL. So a responder has to request a path record of its own.
 *
 * <p><b>Multicast</b> shares SL 0 with paths if these need all VLs. Then it takes precedence over ports 0 of
 * switches without hosts.
 *
 * <p><b>After a loss</b> paths without a loss keep route and SL. Other paths join them along the least weight,
 * and keep their SL if they close no cycle in its lane. A finding gives the numbers. If a device or cable is
 * new, or if this does not succeed, all routes and lanes are computed again. So the same fabric always has the
 * same tables and SLs, also with another SM.
 *
 * <p><b>Cost.</b> For S switches and L LIDs, S x L bytes of lanes and of SLs. Cycles of a lane are found in one
 * search, which continues after each broken cycle.
 */
@NullMarked
package io.torussm.routing.dfsssp;

import org.jspecify.annotations.NullMarked;
