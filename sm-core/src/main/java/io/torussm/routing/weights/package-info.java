/**
 * What engines share that route by weights ({@code sssp}, {@code dfsssp}): destinations one after the other along the paths of
 * least weight, where each route adds to the weights of its cables ({@link io.torussm.routing.weights.WeightedTables}).
 *
 * <p><b>Order.</b> Hosts of {@code cn_guid_file} come first, then those of {@code io_guid_file}, so that each kind is spread by itself,
 * then all others and ports 0 of switches ({@link io.torussm.routing.weights.Targets}). Tables are OpenSM's, entry by entry; of equal
 * paths its heap decides, which {@link io.torussm.routing.weights.WeightedGraph} repeats. Routers have routes like hosts; OpenSM leaves them without.
 * Weights are 64 bits wide, where OpenSM's overflow with some 15,000 LIDs.
 *
 * <p><b>Routes that stay.</b> Entries of earlier tables are kept if asked for; switches that are cut off from a LID join
 * those that still reach it, along the least weight.
 *
 * <p><b>Cost.</b> A search of the fabric for each LID, one after the other. Pure.
 */
@NullMarked
package io.torussm.routing.weights;

import org.jspecify.annotations.NullMarked;
