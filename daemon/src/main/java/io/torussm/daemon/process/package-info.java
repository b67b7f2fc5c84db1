/**
 * The life cycle of the daemon, from the options to the exit code.
 *
 * <p>Input: the options ({@link io.torussm.daemon.config.SmOptions}), signals, and events of the SM. Output: log lines,
 * dump files, and an exit code.
 *
 * <p>{@link io.torussm.daemon.process.Daemon} starts an SM ({@link io.torussm.daemon.sm.SubnetManagerService}), the
 * console and the servers for HTTP. Then it processes one event after the other: subnet up, routes refused, SIGHUP,
 * dump, port lost, end. It runs on thread {@code main}, reads the events from a bounded queue, and is the only class
 * that writes dumps.
 *
 * <p>Limits: a process does not put itself into the background, and manages one port only. Two subnets need two
 * processes.
 */
@NullMarked
package io.torussm.daemon.process;

import org.jspecify.annotations.NullMarked;
