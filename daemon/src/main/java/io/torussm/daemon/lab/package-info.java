/**
 * The embedded fabric as a process of its own: {@code torus-sm fabric}, a fabric without hardware for programs that use libibumad.
 *
 * <p>{@link io.torussm.daemon.lab.FabricProcess} reads a topology and what its devices are like, makes a {@link io.torussm.daemon.lab.Lab} of
 * them, in which {@link io.torussm.sim.serve.FabricServer} serves the fabric, and hands what is typed at standard input to its {@link
 * io.torussm.sim.fault.FaultConsole}, line by line. It greets and prompts as ibsim does, so that scripts that wait for that work with both.
 *
 * <p>Threads: {@code fabric} owns fabric, server and console; {@code fabric-stdin} reads lines and waits for their answers; {@code main}
 * waits for the end.
 */
@NullMarked
package io.torussm.daemon.lab;

import org.jspecify.annotations.NullMarked;
