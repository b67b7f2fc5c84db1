/**
 * Mastership: the election of the master among several subnet managers (IBA 14.4).
 *
 * <p><b>Enters</b>: SMInfo from the wire, SMs that sweeps discover, timers, the operator's priority.
 * <b>Leaves</b>: SMInfo, trap 144, and the permission to sweep and to write. The {@code sm} loop owns all of
 * it.
 *
 * <p>{@link io.torussm.mastership.MastershipRules} is the state machine: a pure function from a
 * {@link io.torussm.mastership.Mastership} and an event to the next state and its actions.
 * {@link io.torussm.mastership.MastershipDriver} feeds it with events of the wire, of timers and of sweeps,
 * and performs its actions. The sweeper asks its {@link io.torussm.mastership.MasterAuthority} before it
 * writes anything.
 */
@NullMarked
package io.torussm.mastership;

import org.jspecify.annotations.NullMarked;
