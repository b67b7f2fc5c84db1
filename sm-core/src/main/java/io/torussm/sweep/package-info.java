/**
 * The sweep: from the wire to a proved and programmed subnet, and the only code that writes to the fabric.
 *
 * <p>{@link io.torussm.sweep.Sweeper} decides when there is a sweep, {@link io.torussm.sweep.Sweep} runs it.
 * {@link io.torussm.discovery.Discovery} reads the fabric with many SMPs in
 * flight and freezes it; {@link io.torussm.subnet.LidAssigner} gives it addresses; the routing chain routes and the
 * checker proves it on a pool of its own; {@link io.torussm.program.TableProgrammer} writes the tables that differ;
 * {@link io.torussm.program.LinkActivator} configures ports and brings links up. Each stage hands one immutable value to
 * the next, and everything mutable is owned by the {@code sm} loop.
 *
 * <p>Order towards the fabric: tables before links. A switch forwards nothing to a port that is not ACTIVE, so a port
 * that comes up finds its tables in place. All ports of the fabric are ARMED before the first becomes ACTIVE. A refusal
 * happens before anything at all is written. Where old and new tables together could deadlock, they are written in steps,
 * see {@link io.torussm.deadlock.Transition}; a link between switches comes up only if all tables are in.
 *
 * <p>A light sweep asks every switch for PortStateChange, and whatever was silent for a sign of life. A change between
 * discovery and the write that clears PortStateChange would go unnoticed, so ports that were down are read once more after
 * it. Whatever was left undone (a write that failed, another SM that ruled) makes the next light sweep a heavy one.
 *
 * <p>Multicast: entries that a new plan does not have are taken away before any other table changes, those that are new are
 * set after all others, so that no packet runs over a mixture of two trees. Between sweeps
 * {@link io.torussm.program.GroupProgrammer} writes what joins and leaves change. An SM that takes over a running fabric
 * reads all multicast blocks once, {@code MulticastFDBCap / 32} for every 16 ports of each switch, and clears what a
 * former master left; blocks of a switch that carries no traffic yet are written when a group needs them.
 *
 * <p>Cost of a cold sweep of S switches with P linked ports each, H hosts and L LIDs, in SMPs: discovery
 * {@code S (3 + P) + 3 H + links}; tables {@code S (L / 64 + P (P + 1) + 2 P) + 3 H}; ports {@code 2 (S P + H) + S}.
 */
@NullMarked
package io.torussm.sweep;

import org.jspecify.annotations.NullMarked;
