/**
 * The plainest engine: shortest paths, spread over ports by counting, as OpenSM's min hop algorithm ({@code opensm(8)}, "Min Hop
 * Algorithm") has them; what that means in detail stands in {@link io.torussm.routing.balance}. It looks at nothing but hops, so
 * on a torus its tables can deadlock; it is used only where the operator names it, and the chain then says what it found.
 */
@NullMarked
package io.torussm.routing.minhop;

import org.jspecify.annotations.NullMarked;
