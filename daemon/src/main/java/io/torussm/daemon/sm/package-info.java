/**
 * The SM of one port: its parts, its resources, and the operator's control of both.
 *
 * <p>Input: the options, MADs of the port, and requests of operators. Output: SMPs and SA responses, state files,
 * copies for standby SMs, and log lines.
 *
 * <pre>
 * SubnetManager     starts and ends the parts
 *   SmAssembly      the parts and their connections ({@link io.torussm.daemon.assembly})
 *   SmResources     port, threads, state directory, replication: opened first, closed last
 *   Lifetime        holds the SmAssembly between start and end, for readers on other threads
 *   SweepOutcomes   the work that follows a sweep
 *   Rehearsals      takeovers and failures in virtual time, so that the JVM compiles their code early
 *                   ({@code docs/developer/adr/0031-rehearsals-in-the-daemon.md})
 *   QuietCollection garbage collection while the SM is idle
 *   OperatorControl the one {@link io.torussm.daemon.control.SmControl}: console, HTTP, systemd
 * </pre>
 *
 * <p>Threads. {@code sm} owns the MAD client, the sweeper, mastership, the registrations of the SA and Reports, and it
 * waits for an SMP for 1 ms at most. {@code sa} owns the timers of table responses, and two {@code sa-worker} threads
 * answer queries from the published view. A pool computes and proves routes, and another of one thread runs failure
 * prechecks. {@code state} writes state files, {@code replica} sends copies of state files to standby SMs. {@code
 * fabric} runs the embedded fabric of {@code --simulate}. The transport has its own threads. Only immutable values pass
 * between threads.
 *
 * <p>Order. The port is opened before the state directory, so that a missing port leaves the directory unchanged. IsSM
 * is set when all parts exist. At the end a master first hands over. Then the port closes, queries and routing end, the
 * last copies go to standby SMs, and the state directory is flushed. An unexpected exception is logged and counted
 * ({@link io.torussm.daemon.system.Defects}), and the loop continues.
 */
@NullMarked
package io.torussm.daemon.sm;

import org.jspecify.annotations.NullMarked;
