/**
 * The routing engine {@code updn} ({@code opensm(8)}, "UPDN Routing Algorithm"; Schroeder et al., "Autonet",
 * 1991). Switches are ranked by their distance from roots, and no packet that came down goes up again. So no
 * credit loop can close among the links, with any SLs and SL2VL tables. The disadvantage is that some routes are
 * longer than necessary, and links near the roots carry more traffic.
 *
 * <p><b>Roots</b> are those in {@code root_guid_file}, also by the GUID of a host for its switch, as in the
 * manual page. Without the file they are the switches that are equally far from most hosts, as in a tree with
 * equal branches. If no switch satisfies this, OpenSM fails; this engine takes the switch with the fewest hops
 * to all others as the root.
 *
 * <p><b>Equal ranks.</b> Of two switches of one rank the one with the lower GUID is above, or with the lower
 * number in {@code ids_guid_file}. For OpenSM a step between two roots is up in either direction.
 *
 * <p><b>Tables</b> are OpenSM's, entry by entry, if these close no credit loop. OpenSM's search does not
 * distinguish how a switch was reached, so on irregular fabrics some paths go down and then up. If these paths
 * close a loop, the paths to their destinations are replaced: a switch with a path of only down links uses it,
 * and other switches send up towards such a switch.
 *
 * <p><b>Pairs without a path</b> that goes up and then down: OpenSM silently leaves them without routes. This
 * engine refuses and names some pairs, unless {@code updn_allow_partial} is set. The refusal contains its routes
 * for a last resort to complete. Port 0 of a root has no path to port 0 of another root if the path would go
 * down and up. {@code connect_roots} adds such paths. If they close a credit loop as in OpenSM, all of them turn
 * at one switch, the first at which they close no loop. Pairs of switches without a path are named.
 */
@NullMarked
package io.torussm.routing.updn;

import org.jspecify.annotations.NullMarked;
