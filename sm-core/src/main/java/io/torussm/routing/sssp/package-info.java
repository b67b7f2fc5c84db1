/**
 * The routing engine {@code sssp} ({@code opensm(8)}, "(DF)SSSP Routing Algorithm"; Hoefler, Schneider,
 * Lumsdaine, "Optimized Routing for Large-Scale InfiniBand Networks", 2009). Destinations are routed one
 * after the other along the paths of least weight. Each route adds to the weights of its cables, so the load
 * is balanced over the whole fabric and not switch by switch. The initial weights are so high that paths
 * remain shortest. It makes no claim about credit loops.
 *
 * <p><b>Tables</b> are those made by {@link io.torussm.routing.weights.WeightedTables}; active routes have no
 * influence on them.
 */
@NullMarked
package io.torussm.routing.sssp;

import org.jspecify.annotations.NullMarked;
