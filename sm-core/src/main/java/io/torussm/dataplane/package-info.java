/**
 * The data plane: packets on their way through a fabric, credit by credit, so that what the deadlock checker proves can be seen,
 * and what a plan can carry be measured.
 *
 * <h2>In and out</h2>
 *
 * <p>In: the cables of a {@link io.torussm.fabric.Fabric}, {@link io.torussm.dataplane.ForwardingTables} that say where packets go
 * and on which VL ({@link io.torussm.dataplane.PlanTables} of a plan, or whatever switches hold, which may change meanwhile), a
 * {@link io.torussm.dataplane.Workload} and the SLs that hosts choose. Out: a {@link io.torussm.dataplane.Tally} of what arrived
 * when, and, if packets wait for each other for ever, the {@link io.torussm.dataplane.Deadlock}. If asked to, it counts at each port what
 * IBA's counters count ({@link io.torussm.dataplane.PortTraffic}), for the ports of an embedded fabric to show.
 *
 * <p>No engine and no checker uses anything of it, nor does it use more of them than the plan: it is a second opinion.
 *
 * <h2>The model</h2>
 *
 * <ul>
 *   <li>Packets are forwarded whole (virtual cut-through): the head may leave a switch before the tail has come, once there are credits
 *       for all of it (IBA 7.9). From a cable that is slower than others all of a packet has to come first.
 *   <li>Every input port has a buffer for each VL. A packet fills room in it from the moment when the sender begins, until its
 *       last byte has left. Credits take a cable's time to come back.
 *   <li>A switch has no other store: packets wait in their input buffers, first come first served among those that leave by the
 *       same port and VL, but packets to other ports pass by them. This is the best that an input-buffered switch can be, so what hangs here
 *       hangs in every switch.
 *   <li>VL arbitration as in IBA 7.6.9. HOQLife and LifeTimeValue drop what waits for too long, if they are set; VLStallCount is not
 *       modelled.
 *   <li>A packet to a group fills its buffer until the last copy has left.
 *   <li>Hosts take whatever comes at the speed of their cable. What they send waits in a queue for each VL.
 * </ul>
 *
 * <h2>Thread and cost</h2>
 *
 * <p>One thread, no clock. Three events for a packet and a hop, each in constant time ({@link io.torussm.dataplane.EventWheel}); memory by
 * the packets in buffers, 60 bytes each, and by the channels, 12 bytes each.
 */
@NullMarked
package io.torussm.dataplane;

import org.jspecify.annotations.NullMarked;
