/**
 * The common part of engines that route by weights ({@code sssp}, {@code dfsssp}). Destinations are routed one
 * after the other along the paths of least weight, and each route adds to the weights of its cables ({@link
 * io.torussm.routing.weights.WeightedTables}).
 *
 * <p><b>Order.</b> Hosts in {@code cn_guid_file} come first, then those in {@code io_guid_file}, so that each
 * group is distributed separately. All others and ports 0 of switches follow ({@link
 * io.torussm.routing.weights.Targets}). Tables are OpenSM's, entry by entry. OpenSM's heap decides between equal
 * paths; {@link io.torussm.routing.weights.WeightedGraph} repeats it. Routers have routes like hosts; OpenSM
 * gives them no routes. Weights have 64 bits; OpenSM's overflow with about 15,000 LIDs.
 *
 * <p><b>Kept routes.</b> Entries of earlier tables are kept on request. Switches without a path to a LID join
 * switches that still reach it, along the least weight.
 *
 * <p><b>Cost.</b> A search of the fabric for each LID, one after the other. Pure.
 */
@NullMarked
package io.torussm.routing.weights;

import org.jspecify.annotations.NullMarked;
