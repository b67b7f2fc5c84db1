/**
 * Mastership: which of several subnet managers is master (IBA 14.4).
 *
 * <p><b>Enters</b>: SMInfo from the wire, what sweeps discover, timers, the operator's priority. <b>Leaves</b>: SMInfo, trap 144, and
 * the permission to sweep and to write. All of it belongs to the {@code sm} loop.
 *
 * <p>{@link io.torussm.mastership.MastershipRules} is the state machine: a pure function from a
 * {@link io.torussm.mastership.Mastership} and an event to the next one and what is to be done.
 * {@link io.torussm.mastership.MastershipDriver} feeds it with what comes from the wire, from timers and from sweeps, and
 * does what it says. The sweeper asks its {@link io.torussm.mastership.MasterAuthority} before it writes anything.
 */
@NullMarked
package io.torussm.mastership;

import org.jspecify.annotations.NullMarked;
