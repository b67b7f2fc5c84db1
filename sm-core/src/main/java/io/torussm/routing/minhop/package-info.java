/**
 * The simplest engine: shortest paths, distributed over ports by counting, as in OpenSM's min hop algorithm
 * ({@code opensm(8)}, "Min Hop Algorithm"); see {@link io.torussm.routing.balance} for details. It only
 * considers hops, so on a torus its tables can deadlock. It is used only if the operator names it, and the
 * chain then reports the result of the proof.
 */
@NullMarked
package io.torussm.routing.minhop;

import org.jspecify.annotations.NullMarked;
