/**
 * The embedded fabric as a process of its own: {@code torus-sm fabric}, a fabric without hardware for
 * programs that use libibumad.
 *
 * <p>{@link io.torussm.daemon.lab.FabricProcess} reads a topology and the properties of its devices, and creates a
 * {@link io.torussm.daemon.lab.Lab} from them. In the lab, {@link io.torussm.sim.serve.FabricServer} serves
 * the fabric. Each line of standard input is passed to its {@link io.torussm.sim.fault.FaultConsole}. Greeting and
 * prompt are those of ibsim, so that scripts work with both.
 *
 * <p>Threads: {@code fabric} owns fabric, server and console; {@code fabric-stdin} reads lines and waits for
 * their results; {@code main} waits for the end.
 */
@NullMarked
package io.torussm.daemon.lab;

import org.jspecify.annotations.NullMarked;
