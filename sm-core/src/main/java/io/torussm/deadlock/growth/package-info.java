/**
 * Routes and multicast trees to which dependencies are added one at a time, each only if it closes no cycle. {@code
 * GrowingOrder} keeps channels in an order in which all dependencies lead upward, and rejects a dependency that would
 * close a cycle.
 *
 * <p>{@link io.torussm.deadlock.growth.TreeGrowth} grows a spanning tree for multicast beside unicast tables. {@link
 * io.torussm.deadlock.growth.LastResort} makes a whole plan of the part that an engine could route: {@code KeptRoutes}
 * are the routes that arrive without a cycle, and {@code DetourGrowth} adds the shortest safe detours for all other
 * pairs. {@link io.torussm.deadlock.DeadlockChecker} proves all results before they are written, so this package is not
 * part of the trusted base. Pure: any thread may call it.
 */
@NullMarked
package io.torussm.deadlock.growth;

import org.jspecify.annotations.NullMarked;
