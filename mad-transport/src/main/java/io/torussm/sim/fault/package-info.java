/**
 * Faults of an embedded fabric while it runs: by the words of ibsim's console and more, by scripts of times and seeds.
 *
 * <h2>In and out</h2>
 *
 * <p>In: lines for {@link io.torussm.sim.fault.FaultConsole}, of people and of {@link io.torussm.sim.fault.FaultScript}, which has each
 * line tried before it begins. Out: what happens to the {@link io.torussm.sim.SimFabric}; an {@link io.torussm.sim.fault.Answer} to each
 * line; {@link io.torussm.sim.fault.Faults}, what is broken now and since when; {@link io.torussm.sim.fault.Schedule}, what will happen
 * next and what happened last. Sockets, files and terminals are the daemon's.
 *
 * <h2>Lines</h2>
 *
 * <p>A line becomes a {@code Line}, its words and the names in quotes; its {@code Word} makes an action of it and looks at nothing that can
 * change, so that a script of an hour is refused before it begins if its last line is wrong. Whatever breaks something goes through {@code
 * Faults}, which remembers how to mend it: so every line that breaks something can end in "for 10 s", and {@code Heal} mends all.
 *
 * <h2>Thread and cost</h2>
 *
 * <p>The loop of the fabric, real or virtual. In virtual time the same script, seed and fabric give the same faults at the same moments. A
 * fault costs a few hundred bytes while it stands; the last 200 lines are kept.
 */
@NullMarked
package io.torussm.sim.fault;

import org.jspecify.annotations.NullMarked;
