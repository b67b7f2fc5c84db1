/**
 * What devices report by themselves: traps (IBA 13.4.8, 14.2.5.1), answered, judged, throttled and acted on.
 *
 * <p>What enters {@link io.torussm.trap.Traps} is every SMP that nobody asked for. {@code TrapReceiver} answers traps by
 * TrapRepress while this SM is master and drops the rest; {@code TrapHandler} decides what a trap calls for. What leaves is
 * a call of {@link io.torussm.trap.Traps.Effects}: a switch to be read again (128), a change of the fabric as it is known
 * (144, 145, read by {@link io.torussm.discovery.DeviceRefresher}), an SM to be asked; a notice for subscribers; or a port
 * is disabled (129 to 131), or a line is logged (256 to 259).
 *
 * <p>Anybody can send traps, as many as he likes. So a trap in the name of another device is ignored;
 * {@link io.torussm.trap.TrapThrottle} lets each source through at pauses that grow while it does not keep quiet, and
 * nothing is missed, because a pause ends with one more look; {@link io.torussm.event.log.LogRateLimiter} does the same for the
 * log. Whatever is sent, what is remembered is bounded: sources, ports that complain, counters by trap number.
 *
 * <p>Cost: a trap of a source that is throttled costs a map look-up. Owner thread: the loop; counters may be read by any
 * thread. Left out: traps are not stored, since a light sweep finds by itself what a lost trap would have reported.
 */
@NullMarked
package io.torussm.trap;

import org.jspecify.annotations.NullMarked;
