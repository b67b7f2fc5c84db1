/**
 * The whole SM in virtual time, for whoever wants to know what it would do: on a twin of a fabric, or on a recording.
 *
 * <p>In come options, a port of an embedded fabric ({@link io.torussm.sim}) or any other, and a clock that jumps. Out go, to a
 * {@link io.torussm.daemon.twin.VirtualSm.Watcher}, events, requests and the ends of sweeps; and whatever the parts publish.
 *
 * <p>It runs in the thread of its caller and waits for nothing; an hour of a quiet fabric of 100 switches costs about a second. Events
 * reported while it runs go to the watcher and not to the log of the process ({@link io.torussm.event.log.EventLog#redirect}),
 * so a real SM may run a virtual one beside itself. Without a state directory nothing outlives it and nothing is written.
 *
 * <p>Left out: consoles, dumps, history, inventory and replication.
 */
@NullMarked
package io.torussm.daemon.twin;

import org.jspecify.annotations.NullMarked;
