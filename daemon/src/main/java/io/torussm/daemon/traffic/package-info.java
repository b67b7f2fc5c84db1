/**
 * Traffic over a fabric that is only written down: the load that its routes carry, the time that packets take, and whether they ever
 * stop for good. In: a plan, with the tree for multicast that was proved with it, and the order of traffic. Out: a {@link
 * io.torussm.daemon.traffic.TrafficResult}, as text, JSON or a page for browsers. Hosts are counted in a {@link
 * io.torussm.daemon.traffic.HostOrder}, that of a tree's leaves. {@link io.torussm.daemon.traffic.ShiftReport} counts along tables and
 * sends nothing. Runs of several loads share the processors; none touches anything of the daemon.
 */
@NullMarked
package io.torussm.daemon.traffic;

import org.jspecify.annotations.NullMarked;
