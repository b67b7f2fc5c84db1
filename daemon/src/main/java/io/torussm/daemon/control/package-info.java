/**
 * The interface of operators to a subnet manager, for console, HTTP and systemd's status line.
 *
 * <p>There are two interfaces; the SM of a process implements both. {@link io.torussm.daemon.control.SmObserver} reads:
 * the published subnet, statistics, events, version. {@link io.torussm.daemon.control.SmControl} adds changes and
 * secrets of the operator: sweeps, priority, captures, dumps, the log level. A reader such as {@code /metrics} has an
 * observer only, so that it can change nothing.
 *
 * <p>Input is the published state and the counters of the SM; output are immutable values. {@link
 * io.torussm.daemon.control.SmStatistics} is the only record of state and counters. {@code /metrics}, {@code /readyz}
 * and {@code status} are derived from it, the last by {@link io.torussm.daemon.control.SmStatus}, whose components are
 * the JSON document, and whose lines are for display. To show another fact, add it to {@code SmStatistics} first.
 *
 * <p>Threads. Any thread may call. No call waits for the wire or for the {@code sm} loop, the thread that owns the SM.
 * Requests are passed to that loop. Results are read from counters and volatile references, so that the values of one
 * record may be a few microseconds apart. Statistics cost a few hundred small objects. The size of the subnet takes one
 * pass over its ports, so that only {@code status} counts it.
 */
@NullMarked
package io.torussm.daemon.control;

import org.jspecify.annotations.NullMarked;
