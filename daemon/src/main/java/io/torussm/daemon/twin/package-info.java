/**
 * The whole SM in virtual time, to predict its actions on a twin of a fabric, or on a recording.
 *
 * <p>The input is options, a port of an embedded fabric ({@link io.torussm.sim}) or any other, and a clock
 * that jumps. A {@link io.torussm.daemon.twin.VirtualSm.Watcher} receives events, requests and the ends of
 * sweeps. The parts publish the same views as in a real SM.
 *
 * <p>A virtual SM runs in the thread of its caller and never waits. An hour of a quiet fabric of 100 switches
 * costs about a second. Events during a run go to the watcher and not to the log of the process ({@link
 * io.torussm.event.log.EventLog#redirect}), so a process may run a virtual SM beside a real SM. Without a state
 * directory nothing persists and nothing is written.
 *
 * <p><b>In production</b> a daemon plays such SMs on an embedded torus, in the process of the real SM, so that the JVM
 * compiles the code of takeovers and failures before the first one ({@link
 * io.torussm.daemon.twin.StandbyRehearsal}, {@link io.torussm.daemon.twin.FailureRehearsal};
 * {@code docs/developer/adr/0031-rehearsals-in-the-daemon.md}). These SMs have no port, file or console of their own.
 *
 * <p>A virtual SM has no console, dumps, history, inventory or replication.
 */
@NullMarked
package io.torussm.daemon.twin;

import org.jspecify.annotations.NullMarked;
