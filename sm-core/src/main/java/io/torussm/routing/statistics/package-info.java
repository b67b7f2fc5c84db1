/**
 * Figures of the paths of a finished plan, for planning and for the choice of an engine.
 *
 * <p>{@link io.torussm.routing.statistics.PathStatistics} counts hops, SLs and loads.
 * {@link io.torussm.routing.statistics.PathLosses} compares the paths of two tables.
 * {@link io.torussm.routing.statistics.WorstPermutation} finds the traffic that loads a cable most. No figure
 * changes a plan.
 */
@NullMarked
package io.torussm.routing.statistics;

import org.jspecify.annotations.NullMarked;
