/**
 * The routing engine {@code sssp} ({@code opensm(8)}, "(DF)SSSP Routing Algorithm"; Hoefler, Schneider, Lumsdaine, "Optimized Routing for
 * Large-Scale InfiniBand Networks", 2009): destinations are routed one after the other along the paths of least weight, and each
 * route adds to the weights of its cables, so that load is spread over the whole fabric and not switch by switch. All weights begin so
 * high that paths remain shortest. It promises nothing about credit loops.
 *
 * <p><b>Order.</b> Hosts of {@code cn_guid_file} come first, then those of {@code io_guid_file}, so that each kind is spread by itself,
 * then all others and ports 0 of switches ({@link io.torussm.routing.sssp.Targets}). Tables are OpenSM's, entry by entry; of equal
 * paths its heap decides, which {@link io.torussm.routing.sssp.WeightedGraph} repeats. Routers have routes like hosts; OpenSM leaves them without.
 * Weights are 64 bits wide, where OpenSM's overflow with some 15,000 LIDs.
 *
 * <p><b>Cost.</b> A search of the fabric for each LID, one after the other.
 */
@NullMarked
package io.torussm.routing.sssp;

import org.jspecify.annotations.NullMarked;
