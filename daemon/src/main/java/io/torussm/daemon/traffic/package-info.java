/**
 * Simulated traffic over a planned fabric: the load that its routes carry, the latency of packets, and
 * deadlocks. Input: a plan, with the multicast tree that was proved with it, and the traffic. Output: a
 * {@link io.torussm.daemon.traffic.TrafficResult}, as text, JSON or a page for browsers. Hosts are numbered
 * in a {@link io.torussm.daemon.traffic.HostOrder}, that of a tree's leaves.
 * {@link io.torussm.daemon.traffic.ShiftReport} counts along tables and simulates nothing. Runs of several
 * loads share the processors; none uses the state of the daemon.
 */
@NullMarked
package io.torussm.daemon.traffic;

import org.jspecify.annotations.NullMarked;
