/**
 * What an operator sees of a subnet manager and asks of it, by whatever way: console, HTTP, or systemd's status line.
 *
 * <p>Two interfaces, one implementation in the process. {@link io.torussm.daemon.control.SmObserver} is all that may be
 * seen: the published subnet, statistics, events, version. {@link io.torussm.daemon.control.SmControl} extends it by what
 * changes something, or is for the operator's eyes only: sweeps, priority, captures, dumps, the log level. Who is given an
 * observer can change nothing, by type.
 *
 * <p>In go what the parts of the SM have published or counted; out come immutable values.
 * {@link io.torussm.daemon.control.SmStatistics} is the one record of state and counters: {@code /metrics}, {@code /readyz}
 * and {@code status} are made of it, the last by {@link io.torussm.daemon.control.SmStatus}, whose components are the JSON
 * document and whose lines are for people. A new fact is added to the first, and shown by the others.
 *
 * <p>Threads: any may call. Nothing here waits for the wire or for the {@code sm} loop: what is asked for is handed to that
 * loop, what is read are counters and volatile references, so that the values of one record may be a few microseconds
 * apart. Statistics cost a few hundred small objects; the size of the subnet, one pass over its ports, is counted only where
 * it is shown.
 */
@NullMarked
package io.torussm.daemon.control;

import org.jspecify.annotations.NullMarked;
