/**
 * Where hosts are, for those who place jobs on them: Slurm, Kubernetes, scripts.
 *
 * <p>In goes the subnet that is published, out come {@link io.torussm.daemon.placement.PlacedHosts}, hosts by name with the place of their
 * switch, and texts made of them. Only hosts that can be reached count. Pure functions; any thread.
 */
@NullMarked
package io.torussm.daemon.placement;

import org.jspecify.annotations.NullMarked;
