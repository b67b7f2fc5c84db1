/**
 * The process: how a subnet manager of one port is made of its parts, and the life of the daemon around it.
 *
 * <p>In come the options ({@link io.torussm.daemon.config.SmOptions}), signals, and MADs of the port. Out go SMPs and SA
 * answers, state files, dump files, copies for standby SMs, log lines, the answers of console and HTTP, and an exit code.
 *
 * <pre>
 * Daemon              one event after the other: subnet up, refused, SIGHUP, dump, port lost, the end
 *   SubnetManager     begins and ends the parts ({@link io.torussm.daemon.SubnetManagerService})
 *     SmAssembly      the parts, connected ({@link io.torussm.daemon.assembly})
 *     SmResources     port, threads, state directory, replication: opened first, closed last
 *     Lifetime        the parts from the beginning to the end
 *     SweepOutcomes   what follows the end of a sweep
 *     Rehearsals      takeovers and failures played in virtual time, so that code is compiled for them
 *     QuietCollection garbage collected while there is nothing else to do
 *     OperatorControl the one {@link io.torussm.daemon.control.SmControl}: console, HTTP, systemd
 * </pre>
 *
 * <p>Threads. {@code main} runs {@code Daemon}: it takes events from a bounded queue, and is the only one to write dumps.
 * {@code sm} owns the MAD client, the sweeper, mastership, the SA's registrations and Reports; it never waits. {@code sa}
 * owns the timers of table answers, two {@code sa-worker} threads answer queries from the published view. A pool computes
 * and proves routes; another of a single thread runs failure prechecks. {@code state} writes state files, {@code replica}
 * sends copies of them. {@code fabric} runs the embedded fabric of {@code --simulate}. The transport has its own threads,
 * and so have the console and the HTTP server. Between them go immutable values only.
 *
 * <p>Order. Opening fails before anything is changed: first the port, then the state directory. IsSM is set when all parts
 * exist. At the end a master hands over first; then the port closes, queries and routing end, the last copies go to standby
 * SMs, and the state directory is flushed. An exception that nobody expected is logged and counted ({@code Defects}), and
 * the loop goes on.
 *
 * <p>Left out: a process does not put itself into the background, and manages one port only. For two subnets run two.
 */
@NullMarked
package io.torussm.daemon;

import org.jspecify.annotations.NullMarked;
