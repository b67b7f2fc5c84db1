/**
 * The routing engine {@code dnup} ({@code opensm(8)}, "DOWNUP"): like updn, but ranks are measured from
 * below. Switches with hosts have rank 0, others the number of cables to the nearest of them. Paths lead to
 * higher ranks first, and then to lower ones. It needs no roots, so it suits trees with hosts on upper
 * switches, too.
 *
 * <p><b>Equal ranks.</b> With OpenSM a step between equal ranks is always allowed, even between a step down
 * and a step up. This closes credit loops on most fabrics that are no trees: if all switches have hosts, dnup
 * is min hop. Here such tables are used only if they close no loop. Else the ways to destinations with such
 * turns are replaced by ways in one order of all switches, by rank and then by GUID. If this leaves hosts
 * without a path, the order is by hops from the uppermost switch, in which every switch is reached. The
 * result is proved like all plans.
 *
 * <p><b>Not supported.</b> {@code connect_roots}, which closes credit loops with OpenSM's dnup. Port 0 of a
 * switch at the top may have no path to that of another, as with updn.
 */
@NullMarked
package io.torussm.routing.dnup;

import org.jspecify.annotations.NullMarked;
