/**
 * The embedded fabric as a process of its own: {@code torus-sm fabric}, a fabric without hardware for programs that use libibumad.
 *
 * <p>{@link io.torussm.daemon.lab.FabricProcess} switches a topology on, lets {@link io.torussm.sim.serve.FabricServer} serve it, and hands
 * what is typed at standard input to a {@link io.torussm.daemon.lab.LabConsole}, line by line. It greets and prompts as ibsim does, so that
 * scripts that wait for that work with both.
 *
 * <p>Threads: {@code fabric} owns fabric, server and console; {@code fabric-stdin} reads lines and waits for their answers; {@code main}
 * waits for the end.
 */
@NullMarked
package io.torussm.daemon.lab;

import org.jspecify.annotations.NullMarked;
