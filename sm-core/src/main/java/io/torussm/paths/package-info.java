/**
 * Paths: PathRecord, MultiPathRecord, and paths to multicast groups (IBA 15.2.5.16, 15.2.5.20).
 *
 * <p><b>Input</b>: a {@link io.torussm.sa.query.Query}, with the view that is published at that moment; from
 * the daemon, the QoS policy and the routers to other subnets, by {@link io.torussm.paths.PathService}.
 * <b>Output</b>: PathRecords in a {@link io.torussm.sa.query.RecordTable}. A request leaves no state.
 *
 * <p><b>No path is stored.</b> A request is a set of constraints, {@code PathRequest}, on pairs of end ports.
 * {@code PathSearch} tries the pairs. {@code PathWalk} follows one pair in both directions: forward for MTU
 * and rate, back for Reversible. The SL is always that of the routing plan. The requested SL, or else that of
 * the path's partition, is a hint to the plan; if the plan grants another SL than the requested one, there is
 * no path. Therefore a granted SL belongs to the programmed tables. With a
 * {@link io.torussm.paths.PathPolicy} the hint is the SL of the path's QoS level, which also limits MTU, rate
 * and P_Key. The P_Key is one that both ends have, at least one of them as a full member.
 *
 * <p><b>Other forms.</b> MultiPathRecord is the same search for several pairs; {@code IndependentPaths}
 * selects paths without a common cable. For a DGID of another subnet the path leads to a router
 * ({@link io.torussm.paths.PrefixRoutes}). A multicast DGID has the one path of its group
 * ({@code MulticastPath}).
 *
 * <p><b>Threads.</b> A search belongs to the SA worker that answers the request. The policy is prepared once
 * for each view, by the first worker that needs it.
 *
 * <p><b>Cost and bounds.</b> A query by GIDs takes 0.3 microseconds, also on a 10x10x10 torus with 8,000
 * hosts ({@code PathRecordBenchmark}, on a shared machine). The limits of the paths from all switches to a
 * LID are computed when single paths have cost as much. They are cached for the view ({@code PathLimits}),
 * once for all LIDs with equal limits. A request with an open end tries only ports that satisfy its
 * constraints. After a limit of pairs without a path it is given up with NO_RESOURCES.
 */
@NullMarked
package io.torussm.paths;

import org.jspecify.annotations.NullMarked;
