/**
 * Congestion control of the data plane (IBA annex A10): switches mark packets, hosts slow flows down.
 * <h2>In and out</h2>
 *
 * <p>In: {@link io.torussm.dataplane.congestion.CongestionParameters}, the attributes of class 0x21 as an SM writes
 * them, the same for all devices. {@link io.torussm.dataplane.congestion.FecnMarking} decides for each packet that
 * leaves a switch; {@link io.torussm.dataplane.congestion.ThrottledFlows} contains the CCTI of flows at hosts. Out:
 * {@link io.torussm.dataplane.congestion.CongestionCounters}.
 * <h2>The model</h2>
 *
 * <ul>
 *   <li>A Port VL is congested if more bytes wait behind a packet that leaves than a share of an input buffer:
 *       (16 - Threshold) / 16. The annex leaves the scale to the vendor.
 *   <li>A Port VL is the root of congestion if it had credits for the packet when its port was free. If it waited
 *       for credits, it is a victim, and marks only if its port is in Victim_Mask.
 *   <li>Eligible are unicast packets of at least Packet_Size x 64 bytes. Marking_Rate packets are skipped from one
 *       mark to the next, counted for each Port VL; the annex asks for a mean only.
 *   <li>The receiver returns BECN in a packet of its own (CNP) with the SL of the marked packet. It passes the host's
 *       own data, but waits for credits and in switches like any other packet.
 *   <li>A flow is a QP (a pair of hosts and an SL), or all packets of an SL (Port_Control). BECN adds CCTI_Increase,
 *       up to CCTI_Limit. A timer for each SL of a host subtracts 1 from all its flows, down to CCTI_Min.
 *   <li>After a packet that takes the time t, its flow pauses for t x CCT_Multiplier / 2^CCT_Shift.
 *   <li>Credit starvation: if a packet came in by a port of Credit_Mask and leaves by a Port VL beyond CS_Threshold,
 *       its credits return later, by CS_ReturnDelay of its time. That is our reading of the field's names.
 * </ul>
 * <h2>Thread and cost</h2>
 *
 * <p>One thread, no clock. A packet that leaves a switch costs a look at the packets behind it, up to the threshold; a
 * timer costs the throttled flows of its host. Memory: 4 bytes for each channel, an object for each flow that is slowed
 * down, and for each SL of a host with such a flow a directory of 4 bytes for each 64 hosts. Each 64 neighbouring
 * destinations take 256 bytes once a flow to one of them was slowed down, until the end of the run: at most
 * 4 x hosts^2 bytes for each SL, 400 MB with 10,000 hosts.
 */
@NullMarked
package io.torussm.dataplane.congestion;

import org.jspecify.annotations.NullMarked;
