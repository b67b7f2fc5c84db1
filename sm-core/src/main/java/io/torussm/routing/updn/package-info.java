/**
 * The routing engine {@code updn}: links are ordered by their distance from a root, and no packet that came down goes up
 * again. Free of credit loops on any fabric, whatever SLs and SL2VL tables there are; in exchange some routes are longer
 * than they need to be, and links near the root carry more. The root is the switch with the fewest hops to all others;
 * OpenSM's choice of roots, its files of them, and its tables bit for bit are not here yet.
 */
@NullMarked
package io.torussm.routing.updn;

import org.jspecify.annotations.NullMarked;
