/**
 * The routing engine {@code sssp} ({@code opensm(8)}, "(DF)SSSP Routing Algorithm"; Hoefler, Schneider, Lumsdaine, "Optimized Routing for
 * Large-Scale InfiniBand Networks", 2009): destinations are routed one after the other along the paths of least weight, and each
 * route adds to the weights of its cables, so that load is spread over the whole fabric and not switch by switch. All weights begin so
 * high that paths remain shortest. It promises nothing about credit loops.
 *
 * <p><b>Tables</b> are those of {@link io.torussm.routing.weights.WeightedTables}; routes in force have no influence on them.
 */
@NullMarked
package io.torussm.routing.sssp;

import org.jspecify.annotations.NullMarked;
