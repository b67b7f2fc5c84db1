/**
 * The parts of a subnet manager and their connections. The parts run on real threads and a port
 * ({@link io.torussm.daemon}), or in virtual time on a simulated fabric ({@link io.torussm.daemon.twin}).
 *
 * <p>Input: the port, loops and executors ({@link io.torussm.daemon.assembly.SmPlatform}), data that are
 * kept for the next start ({@link io.torussm.daemon.assembly.SmStores}), and settings that each part reads again for
 * each operation ({@link io.torussm.daemon.assembly.SmSettings}; {@link io.torussm.daemon.assembly.LiveSettings} reads
 * files). Output: {@link io.torussm.daemon.assembly.SmAssembly}, with MAD client, sweeper, mastership, SA,
 * Reports, counters, isolation. At the end of each sweep the parts switch to the published subnet; then the
 * creator of the assembly receives the {@link io.torussm.sweep.state.SweepEvent}.
 *
 * <p>Owner thread: the {@code sm} loop. This package creates no thread, reads only the clocks of the loops, and
 * takes random numbers only from {@code SmPlatform.seeds}. With the same input, the same SM makes the same
 * decisions.
 *
 * <p>Not included: the lock of the state directory, dumps, history, inventory, consoles and the life cycle of the
 * process.
 */
@NullMarked
package io.torussm.daemon.assembly;

import org.jspecify.annotations.NullMarked;
