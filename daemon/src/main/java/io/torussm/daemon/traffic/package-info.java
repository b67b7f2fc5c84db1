/**
 * Simulated traffic over a planned fabric: the load that its routes carry, the latency of packets, and
 * deadlocks. Input: a plan, with the multicast tree that was proved with it, and the traffic. Output: a
 * {@link io.torussm.daemon.traffic.TrafficResult}, as text, JSON or a page for browsers. Hosts are numbered by {@link
 * io.torussm.daemon.traffic.HostOrder}, in a tree in the order of its leaves.
 * {@link io.torussm.daemon.traffic.ShiftReport} counts paths along tables without a simulation. Runs of several loads
 * share the processors. No run uses the state of the daemon.
 */
@NullMarked
package io.torussm.daemon.traffic;

import org.jspecify.annotations.NullMarked;
