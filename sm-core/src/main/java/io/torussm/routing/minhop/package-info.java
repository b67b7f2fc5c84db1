/**
 * The plainest engine: shortest paths, spread over ports by counting. It looks at nothing but hops, so on a torus its
 * tables can deadlock; it is used only where the operator names it, and the chain then says what it found.
 */
@NullMarked
package io.torussm.routing.minhop;

import org.jspecify.annotations.NullMarked;
