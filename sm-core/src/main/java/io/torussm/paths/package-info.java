/**
 * Paths: PathRecord, MultiPathRecord, and paths to multicast groups (IBA 15.2.5.16, 15.2.5.20).
 *
 * <p><b>Enters</b>: a {@link io.torussm.sa.query.Query}, with the view that is published at that moment; from the daemon, the
 * QoS policy and the routers to other subnets, by {@link io.torussm.paths.PathService}. <b>Leaves</b>: PathRecords in a
 * {@link io.torussm.sa.query.RecordTable}. Nothing of a request is kept.
 *
 * <p><b>No path is stored.</b> A request is a set of constraints, {@code PathRequest}, on pairs of end ports;
 * {@code PathSearch} tries the pairs, {@code PathWalk} looks at the ways of one pair in both directions: forward for MTU
 * and rate, back for Reversible. The SL is the routing plan's and no other: a requested SL, or else the SL of the path's
 * partition, is a hint to the plan, and a requested one is no path if the plan says otherwise. So an SL that is granted belongs
 * to the tables that the switches hold. With a {@link io.torussm.paths.PathPolicy} the hint is the SL of the path's QoS level,
 * which also limits MTU, rate and P_Key. The P_Key is one that both ends share, at least one of them as a full member.
 *
 * <p><b>Other shapes.</b> MultiPathRecord is the same search for several pairs; {@code IndependentPaths} keeps those without a
 * cable in common. A DGID of another subnet is that of a router on the way ({@link io.torussm.paths.PrefixRoutes}); a multicast
 * DGID has the one path that its group prescribes ({@code MulticastPath}).
 *
 * <p><b>Threads.</b> A search belongs to the SA worker that answers the request. The policy is prepared once for each view, by
 * the first worker that needs it.
 *
 * <p><b>Cost and bounds.</b> A query by GIDs takes 0.3 microseconds, on a 10x10x10 torus with 8,000 hosts too ({@code PathRecordBenchmark}, on a
 * shared machine): what the ways from all switches to a LID allow is found once single ways have cost as much, and kept for the view
 * ({@code PathLimits}), once for all LIDs with the same. A request with an open side looks only at ports that can be the end of a
 * path that is wanted, and is given up with NO_RESOURCES after so many pairs without a path.
 */
@NullMarked
package io.torussm.paths;

import org.jspecify.annotations.NullMarked;
