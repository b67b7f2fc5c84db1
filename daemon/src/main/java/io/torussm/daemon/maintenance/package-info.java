/**
 * The removal of switches and cables from routing while the subnet runs, if the subnet can do without them.
 *
 * <p>{@link io.torussm.daemon.maintenance.DrainBudget} decides whether the subnet can do without a part. Routes without
 * the part are computed and proved. No pair of hosts elsewhere may lose its path. The operator's command {@code drain}
 * uses it, and so does isolation, for cables that flap or lose packets.
 * {@link io.torussm.daemon.maintenance.IsolationStep} chooses the next cable to be isolated or released, as a
 * function of the history of cables, their error rates, the settings and the time.
 * {@link io.torussm.daemon.maintenance.Isolator} calls it after each sweep, and runs the budget on the
 * precheck thread. Then it drains or undrains ({@link io.torussm.subnet.Drains}), so that the next sweep
 * moves routes to other cables before the link goes down. Isolations and releases are in the history of
 * cables, on the disk and at all SMs, so back-off and limits outlive restarts and failovers.
 *
 * <p>Owner thread: the {@code sm} loop; the budget runs anywhere. A check reads the whole history, which is bounded.
 * The budget costs as much as a routing with its proof; it runs only for a cable that should be isolated, once for the
 * active routes.
 */
@NullMarked
package io.torussm.daemon.maintenance;

import org.jspecify.annotations.NullMarked;
