/**
 * Taking switches and cables out of use while the subnet runs, as long as it can do without them.
 *
 * <p>{@link io.torussm.daemon.maintenance.DrainBudget} judges whether it can: routes without the part are computed and proved, and nobody may
 * lose a path by it. Operators ask it by the command {@code drain}, and so does isolation, for cables that flap or lose packets.
 * {@link io.torussm.daemon.maintenance.IsolationStep} decides which cable is to be isolated or released next: a function of the history of
 * cables, their error rates, the rules that are set and the time. {@link io.torussm.daemon.maintenance.Isolator} asks it after each sweep,
 * has the budget judge the answer on the precheck thread, and then drains or undrains ({@link io.torussm.subnet.Drains}), so that the next
 * sweep leads routes around the cable before its link goes down. What was isolated and released is in the history of cables, on the disk and
 * with all SMs, so back-off and limits outlive restarts and failovers.
 *
 * <p>Owner thread: the {@code sm} loop; the budget runs anywhere. A look costs a walk over the history, which is bounded; a judgement as
 * much as a routing with its proof, and only when a cable deserves it, once for the routes in force.
 */
@NullMarked
package io.torussm.daemon.maintenance;

import org.jspecify.annotations.NullMarked;
