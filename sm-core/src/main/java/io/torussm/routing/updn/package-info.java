/**
 * The routing engine {@code updn} ({@code opensm(8)}, "UPDN Routing Algorithm"; Schroeder et al., "Autonet", 1991): switches are
 * ranked by their distance from roots, and no packet that came down goes up again, so no credit loop can close among the links,
 * whatever SLs and SL2VL tables there are. In exchange some routes are longer than they need to be, and links near the roots
 * carry more.
 *
 * <p><b>Roots</b> are those of {@code root_guid_file}, also by the GUID of a host for its switch, as the manual page says; else the
 * switches that most hosts are equally far from, as in a tree with equal branches. Where there is none OpenSM gives up; here
 * the switch with the fewest hops to all others is the root.
 *
 * <p><b>Equal ranks.</b> Of two switches of one rank the one with the lower GUID is above, or with the lower number in
 * {@code ids_guid_file}. OpenSM takes a step between two roots for one up in either direction.
 *
 * <p><b>Tables</b> are OpenSM's, entry by entry, where those close no credit loop. Its search does not keep apart by which ways it
 * came to a switch, so on irregular fabrics some paths go down and then up. If that closes a loop the ways to those
 * destinations are replaced: a switch that has a way of links down takes it, and others go up towards one that has.
 *
 * <p><b>Pairs without a path</b> that goes up and then down: OpenSM leaves them without routes and says nothing. Here the engine
 * refuses, and names some, unless {@code updn_allow_partial} is set; its routes go along for a last resort to complete. Port 0 of roots has no path to that of others where
 * that would go down and up; {@code connect_roots} gives them one. Where OpenSM's paths of this kind close a credit loop all of them
 * turn at one switch, the first at which that closes none; pairs of switches that are left without a path are named.
 */
@NullMarked
package io.torussm.routing.updn;

import org.jspecify.annotations.NullMarked;
