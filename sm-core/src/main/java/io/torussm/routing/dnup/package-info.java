/**
 * The routing engine {@code dnup} ({@code opensm(8)}, "DOWNUP"): like updn, but what is up is measured from below. Switches with
 * hosts have rank 0, others the number of cables to the nearest of them; paths lead to higher ranks first, and then to lower
 * ones. It needs no roots, so it suits trees whose hosts also hang on upper switches.
 *
 * <p><b>Equal ranks.</b> With OpenSM a step between equal ranks is always allowed, also before one up that follows one down.
 * That closes credit loops on most fabrics that are no trees: where all switches have hosts, dnup is min hop. Here its tables
 * are taken as they are only where they close none. Else the ways to destinations with such turns are replaced by ways in one
 * order of all switches, by rank and then by GUID; and if that leaves hosts without a path, by ways in the order of hops from
 * the uppermost switch, in which every switch is reached. Whatever comes of it is proved like all plans.
 *
 * <p><b>What is left out.</b> {@code connect_roots}, which with OpenSM closes credit loops here. Port 0 of a switch at the top may
 * have no path to that of another, as with updn.
 */
@NullMarked
package io.torussm.routing.dnup;

import org.jspecify.annotations.NullMarked;
