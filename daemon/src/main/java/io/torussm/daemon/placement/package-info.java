/**
 * The places of hosts for job schedulers: Slurm, Kubernetes, scripts.
 *
 * <p>The input is the published subnet. The output is {@link io.torussm.daemon.placement.PlacedHosts}, hosts by name
 * with the place of their switch, and texts for schedulers. Only reachable hosts are included. Pure functions;
 * any thread.
 */
@NullMarked
package io.torussm.daemon.placement;

import org.jspecify.annotations.NullMarked;
