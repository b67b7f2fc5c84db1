/**
 * The parts of a subnet manager, made and connected, whatever they work with: real threads and a port
 * ({@link io.torussm.daemon}), or virtual time and an embedded fabric ({@link io.torussm.daemon.twin}).
 *
 * <p>In come the port, loops and executors ({@link io.torussm.daemon.assembly.SmPlatform}), what outlives the process
 * ({@link io.torussm.daemon.assembly.SmStores}), and settings that are asked anew by every part
 * ({@link io.torussm.daemon.assembly.SmSettings}; {@link io.torussm.daemon.assembly.LiveSettings} reads files). Out goes
 * {@link io.torussm.daemon.assembly.SmAssembly}: MAD client, sweeper, mastership, SA, Reports, counters, isolation. At the end
 * of each sweep they go on with what is published; who made them hears of it behind them
 * ({@link io.torussm.daemon.assembly.SmListener}).
 *
 * <p>Owner thread: the {@code sm} loop. No thread is made here, no clock is read but those of the loops, and no chance comes from
 * elsewhere than {@code SmPlatform.seeds}: with the same of all that, the same SM does the same.
 *
 * <p>Left out: the state directory's lock, dumps, history, inventory, consoles and the life of the process.
 */
@NullMarked
package io.torussm.daemon.assembly;

import org.jspecify.annotations.NullMarked;
