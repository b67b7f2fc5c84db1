/**
 * The parts of a subnet manager, made and connected. They run on real threads and a port
 * ({@link io.torussm.daemon}), or in virtual time on an embedded fabric ({@link io.torussm.daemon.twin}).
 *
 * <p>Input: the port, loops and executors ({@link io.torussm.daemon.assembly.SmPlatform}), data that outlive
 * the process ({@link io.torussm.daemon.assembly.SmStores}), and settings that every part reads again
 * ({@link io.torussm.daemon.assembly.SmSettings}; {@link io.torussm.daemon.assembly.LiveSettings} reads
 * files). Output: {@link io.torussm.daemon.assembly.SmAssembly}, with MAD client, sweeper, mastership, SA,
 * Reports, counters, isolation. At the end of each sweep these parts switch to the published subnet; then the
 * owner receives the {@link io.torussm.sweep.state.SweepEvent}.
 *
 * <p>Owner thread: the {@code sm} loop. This package makes no thread, reads only the clocks of the loops, and
 * takes random numbers only from {@code SmPlatform.seeds}. With the same input, the same SM makes the same
 * decisions.
 *
 * <p>Not included: the state directory's lock, dumps, history, inventory, consoles and the life cycle of the
 * process.
 */
@NullMarked
package io.torussm.daemon.assembly;

import org.jspecify.annotations.NullMarked;
