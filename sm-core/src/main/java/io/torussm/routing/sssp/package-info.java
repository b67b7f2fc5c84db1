/**
 * Single source shortest paths: destinations are routed one after the other, each along the shortest paths by weights that
 * grow with the routes that links carry already, so load is balanced over the whole fabric and not switch by switch.
 *
 * <p>T. Hoefler, T. Schneider and A. Lumsdaine, "Optimized Routing for Large-Scale InfiniBand Networks", 2009; OpenSM's
 * {@code sssp} ({@code opensm(8)}). Tables are equal to its tables entry by entry, ties included, which its heap decides
 * ({@link io.torussm.routing.sssp.VertexHeap}).
 *
 * <p><b>What enters.</b> The cables, and optionally lists of compute and I/O nodes, whose routes are balanced first, each kind for
 * itself. <b>What leaves.</b> Tables of all switches, for all LIDs. Nothing is promised about credit loops; the proof of all engines
 * says whether there is one.
 *
 * <p><b>Where this departs.</b> Routers are destinations like hosts; OpenSM leaves them out. Distances are 64 bits wide: OpenSM's
 * overflow from some 15,000 LIDs on.
 *
 * <p><b>Cost.</b> One search over all cables for each LID, one after the other, since each changes weights.
 */
@NullMarked
package io.torussm.routing.sssp;

import org.jspecify.annotations.NullMarked;
