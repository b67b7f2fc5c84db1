/**
 * What can be said of a fabric that is only written down: how it would be routed, how far apart hosts are and how loaded
 * cables, and what would become of it without this cable or that switch. Pure; the commands are in {@code daemon.cli}, and
 * how a torus is recognised is in {@code torus2qos.planning}.
 *
 * <p>Every failure is routed and proved from scratch, by the engine and the checker that the SM uses: nothing is taken from
 * the fabric as it was. That takes some 30 ms of one core for an 8x8x8 torus, so all of its 2,048 single failures take half
 * a minute on two; each core has its own share of them.
 */
@NullMarked
package io.torussm.daemon.planning;

import org.jspecify.annotations.NullMarked;
