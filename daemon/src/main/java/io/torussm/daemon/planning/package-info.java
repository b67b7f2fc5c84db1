/**
 * What can be said of a fabric that is only written down: how it would be routed, how far apart hosts are and how loaded
 * cables, and what would become of it without this cable or that switch. Pure; the commands are in {@code daemon.cli}, and
 * how a torus is recognised is in {@code torus2qos.planning}.
 *
 * <p>A failure that is played is routed and proved by the engine and the checker that the SM uses, which take over what stays of
 * tables and proof. That takes some 5 ms of one core for an 8x8x8 torus; each core has its own share of them. Of failures that a torus
 * mirrors into one another some are played ({@link io.torussm.daemon.planning.SingleReport}).
 */
@NullMarked
package io.torussm.daemon.planning;

import org.jspecify.annotations.NullMarked;
