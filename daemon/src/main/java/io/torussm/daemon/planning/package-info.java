/**
 * The analysis of a planned fabric: its routes, the distances between hosts, the loads of cables, and the
 * effects of the loss of a cable or a switch. Pure; the commands are in {@code daemon.cli}, and the
 * recognition of a torus is in {@code torus2qos.planning}.
 *
 * <p>The engine and the checker of the SM route and prove a simulated failure. They reuse the remaining tables and the
 * proof. This takes some 5 ms of one core for an 8x8x8 torus; the work is distributed
 * over all cores. Of failures that are mirror images in a torus, only some are simulated
 * ({@link io.torussm.daemon.planning.SingleReport}).
 */
@NullMarked
package io.torussm.daemon.planning;

import org.jspecify.annotations.NullMarked;
