/**
 * The interface of operators to a subnet manager, for console, HTTP and systemd's status line.
 *
 * <p>There are two interfaces with one implementation in the process.
 * {@link io.torussm.daemon.control.SmObserver} reads: the published subnet, statistics, events, version.
 * {@link io.torussm.daemon.control.SmControl} adds changes and secrets of the operator: sweeps, priority,
 * captures, dumps, the log level. By its type, an observer cannot change anything.
 *
 * <p>Input is the published state and the counters of the SM; output are immutable values.
 * {@link io.torussm.daemon.control.SmStatistics} is the only record of state and counters. {@code /metrics},
 * {@code /readyz} and {@code status} are derived from it, the last by
 * {@link io.torussm.daemon.control.SmStatus}. Its components are the JSON document, and its lines are for
 * display. A new fact is added to the former and shown by the others.
 *
 * <p>Threads: any may call. No call waits for the wire or for the {@code sm} loop. Requests are passed to
 * that loop. Results are counters and volatile references, so that the values of one record may be a few
 * microseconds apart. Statistics cost a few hundred small objects. The size of the subnet takes one pass over
 * its ports and is only counted for display.
 */
@NullMarked
package io.torussm.daemon.control;

import org.jspecify.annotations.NullMarked;
