/**
 * The data plane: packets in a fabric, credit by credit. It shows the results of the deadlock checker in
 * action, and measures the capacity of a plan.
 * <h2>In and out</h2>
 *
 * <p>In: the cables of a {@link io.torussm.fabric.Fabric}; {@link io.torussm.dataplane.ForwardingTables},
 * which give ports and VLs of packets ({@link io.torussm.dataplane.PlanTables} of a plan, or the tables of
 * switches, which may change meanwhile); a {@link io.torussm.dataplane.Workload}; and the SLs of hosts. Out:
 * a {@link io.torussm.dataplane.TrafficCounters} of arrivals and latencies and, if packets wait for each other for
 * ever, the {@link io.torussm.dataplane.Deadlock}. Optionally it counts IBA's port counters
 * ({@link io.torussm.dataplane.PortTraffic}), for the ports of an embedded fabric.
 *
 * <p>Engines and checkers do not use it, and it uses only the plan of them: it is an independent check.
 * <h2>The model</h2>
 *
 * <ul>
 *   <li>Packets are forwarded whole (virtual cut-through): the head may leave a switch before the tail has
 *       arrived, once there are credits for all of it (IBA 7.9). From a cable that is slower than others all
 *       of a packet has to arrive first.
 *   <li>Every input port has a buffer for each VL. A packet fills space in it from the start of its
 *       transmission until its last byte has left. Credits take a cable's time to return.
 *   <li>A switch has no other memory. Packets wait in their input buffers, first come first served among
 *       those to the same port and VL; packets to other ports pass them. No input-buffered switch is better,
 *       so that a deadlock here occurs in every switch.
 *   <li>VL arbitration as in IBA 7.6.9. If they are set, HOQLife and LifeTimeValue drop packets that wait too
 *       long; VLStallCount is not modelled.
 *   <li>A packet to a group fills its buffer until the last copy has left.
 *   <li>Congestion control is off unless {@link io.torussm.dataplane.DataPlaneSettings} has its parameters; see
 *       {@link io.torussm.dataplane.congestion}.
 *   <li>Hosts accept all packets at the speed of their cable. Their own packets wait in a queue for each VL.
 * </ul>
 * <h2>Thread and cost</h2>
 *
 * <p>One thread, no clock. Three events for a packet and a hop, each in constant time
 * ({@link io.torussm.dataplane.EventWheel}). Memory: 60 bytes for each packet in a buffer, and 12 bytes for
 * each channel.
 */
@NullMarked
package io.torussm.dataplane;

import org.jspecify.annotations.NullMarked;
