/**
 * Faults of a running embedded fabric: by commands of ibsim's console and others, and by scripts with times and seeds.
 * <h2>In and out</h2>
 *
 * <p>In: lines for {@link io.torussm.sim.fault.FaultConsole}, from operators and from
 * {@link io.torussm.sim.fault.FaultScript}, whose lines are all checked before it begins. Out: changes of the
 * {@link io.torussm.sim.SimFabric}, an {@link io.torussm.sim.fault.ConsoleReply} to each line, the present faults with
 * their beginnings ({@link io.torussm.sim.fault.Faults}), and the next and last lines of scripts
 * ({@link io.torussm.sim.fault.Schedule}). Sockets, files and terminals belong to the daemon.
 * <h2>Lines</h2>
 *
 * <p>A line becomes a {@code ConsoleLine}: its words, and the names in quotes. Its {@code ConsoleWord} makes an action
 * of it without use of mutable state. So a script of an hour is rejected immediately if its last line is wrong. All
 * faults go through {@code Faults}, which records the repair. So every line that makes a fault can end in "for 10 s",
 * and {@code Heal} repairs everything.
 * <h2>Thread and cost</h2>
 *
 * <p>The thread is the loop of the fabric, real or virtual. In virtual time, the same script, seed and fabric lead to
 * the same faults at the same moments. A present fault takes a few hundred bytes. The last 200 lines are kept.
 */
@NullMarked
package io.torussm.sim.fault;

import org.jspecify.annotations.NullMarked;
