/**
 * The routing engine {@code dnup} ({@code opensm(8)}, "DOWNUP"): like {@code updn}, but ranks are measured from
 * the hosts. Switches with hosts have rank 0. Other switches have the number of cables to the nearest switch
 * with hosts. Paths lead to higher ranks first, and then to lower ones. It needs no roots, so it suits trees
 * with hosts on upper switches, too.
 *
 * <p><b>Equal ranks.</b> With OpenSM a step between equal ranks is always allowed, even between a step down and
 * a step up. This closes credit loops on most fabrics that are no trees: if all switches have hosts, OpenSM's
 * dnup is min hop. This engine uses such tables only if they close no loop. Otherwise the paths to destinations
 * with such turns are replaced by paths in one order of all switches, by rank and then by GUID. If this order
 * leaves hosts without a path, switches are ordered by hops from the switch of the highest rank. In that order
 * every switch is reached. The result is proved like all plans.
 *
 * <p><b>Not supported.</b> {@code connect_roots}, which closes credit loops with OpenSM's dnup. Port 0 of a
 * switch at the top may have no path to port 0 of another such switch, as with updn.
 */
@NullMarked
package io.torussm.routing.dnup;

import org.jspecify.annotations.NullMarked;
