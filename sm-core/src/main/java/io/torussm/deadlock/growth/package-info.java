/**
 * Routes and trees that grow one dependency at a time, each only if it closes no cycle. {@code GrowingOrder} keeps
 * channels in an order in which all dependencies lead upward, and rejects a dependency that would close a cycle.
 *
 * <p>{@link io.torussm.deadlock.growth.TreeGrowth} grows a spanning tree for multicast beside unicast tables. {@link
 * io.torussm.deadlock.growth.LastResort} makes a whole plan of the part that an engine could route: {@code KeptRoutes}
 * are the routes that arrive without a cycle, and {@code DetourGrowth} adds the shortest safe detours for the others.
 * All results are proved by {@link io.torussm.deadlock.DeadlockChecker} before they are written, so this package is no
 * part of the trusted base. Pure.
 */
@NullMarked
package io.torussm.deadlock.growth;

import org.jspecify.annotations.NullMarked;
