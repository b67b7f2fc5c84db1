/**
 * A look at a fabric that somebody else rules, without a write: what it holds, what that proves, and what this SM would do.
 *
 * <p>{@link io.torussm.shadow.FabricReader} reads the fabric by Gets alone, by discovery as every SM does it and then table by
 * table, into a {@link io.torussm.snapshot.FabricSnapshot}; {@link io.torussm.shadow.HeldFabric} is a snapshot in the indexes that
 * routing and proofs work with, {@link io.torussm.shadow.HeldRoutes} what the tables of its switches are worth. That nothing is
 * written is not this package's promise but that of the port below it, {@link io.torussm.transport.ReadOnlyPort}.
 *
 * <p>Cost of a reading, of S switches with P linked ports, T blocks of forwarding entries and M of multicast entries, and H host ports,
 * in SMPs: discovery, {@code S (4 P + P (P + 1) + T + M) + 25 H}; on a torus of 1,000 hosts with 6 cables and 4 hosts at each of 250 switches
 * about 100,000, which at 500 a second take three minutes. Owner thread: the loop.
 */
@NullMarked
package io.torussm.shadow;

import org.jspecify.annotations.NullMarked;
