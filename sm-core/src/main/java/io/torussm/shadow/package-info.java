/**
 * The observation of a fabric of another master SM, without a write: its tables, their proof, and the
 * decisions of this SM.
 *
 * <p>{@link io.torussm.shadow.FabricReader} reads the fabric by Gets alone, by discovery as every SM does it
 * and then table by table, into a {@link io.torussm.snapshot.FabricSnapshot}.
 * {@link io.torussm.shadow.HeldRoutes} converts the tables of its switches for a proof. The port below this
 * package ensures that nothing is written: {@link io.torussm.transport.port.ReadOnlyPort}.
 *
 * <p>Cost of a reading in SMPs, of S switches with P linked ports, T blocks of forwarding entries and M of
 * multicast entries, and H host ports: discovery, {@code S (4 P + P (P + 1) + T + M) + 25 H}. A torus of
 * 1,000 hosts, with 6 cables and 4 hosts at each of 250 switches, needs about 100,000. At 500 a second that
 * takes three minutes. Owner thread: the loop.
 */
@NullMarked
package io.torussm.shadow;

import org.jspecify.annotations.NullMarked;
