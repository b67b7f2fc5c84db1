/**
 * What engines share that put paths into lanes, such that packets in no lane wait for each other in a circle: the SLs that stand
 * for lanes ({@link io.torussm.routing.lanes.LaneSls}), channels and turns by dense numbers
 * ({@link io.torussm.routing.lanes.Channels}), and lanes that take turns one by one as long as no cycle closes
 * ({@link io.torussm.routing.lanes.Lanes}). {@code lash} has dependencies of its own, with the leftovers of OpenSM's.
 *
 * <p><b>Cost.</b> Two bytes for each turn that the fabric has, and a number for each channel and lane. Pure.
 */
@NullMarked
package io.torussm.routing.lanes;

import org.jspecify.annotations.NullMarked;
