/**
 * Traps (IBA 13.4.8, 14.2.5.1): events that devices report. They are answered, checked, throttled and acted
 * on.
 *
 * <p>The input of {@link io.torussm.trap.Traps} is every unrequested SMP. {@code TrapReceiver} answers traps
 * by TrapRepress while this SM is master and drops other SMPs. {@code TrapHandler} decides on the action for
 * a trap. The output is a call of {@link io.torussm.trap.Traps.Effects}: a switch is read again (128), the
 * known fabric changes (144, 145, read by {@link io.torussm.discovery.DeviceRefresher}), or an SM is queried.
 * Or a notice goes to subscribers, a port is disabled (129 to 131), or an event is logged (256 to 259).
 *
 * <p>Any host can send traps in any number. Therefore a trap in the name of another device is ignored.
 * {@link io.torussm.trap.TrapThrottle} passes each source at growing pauses until it is quiet; no event is
 * lost, because the device is read again at the end of a pause. {@link io.torussm.event.log.LogRateLimiter}
 * does the same for the log. The memory is bounded for any input: sources, ports with link errors, counters
 * by trap number.
 *
 * <p>Cost: a trap of a throttled source costs a map look-up. Owner thread: the loop; counters may be read by
 * any thread. Traps are not stored, because a light sweep finds the changes that a lost trap would have
 * reported.
 */
@NullMarked
package io.torussm.trap;

import org.jspecify.annotations.NullMarked;
