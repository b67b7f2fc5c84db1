/**
 * The embedded fabric: simulated switches and channel adapters that execute SMPs as hardware does, for demos,
 * tests and planning.
 *
 * <h2>Why</h2>
 *
 * <p>A subnet manager is correct if the final tables of the switches are correct. Its own record of sent SMPs
 * is no proof. Tests need to read these tables. So this package keeps a whole subnet in memory, with the interface of a
 * real one: MADs of 256 bytes. On {@link io.torussm.sim.VirtualLoop} hours pass in milliseconds and a seed replays
 * every fault. On a real loop the same fabric serves the demo mode of the daemon.
 *
 * <h2>From file to power-up</h2>
 *
 * <p>{@link io.torussm.sim.topology.Topology} is the machine room before power-up: nodes, GUIDs, cables. It comes from
 * {@link io.torussm.sim.topology.TopologyText} (the format of ibnetdiscover and ibsim) or from a word such as
 * {@code tree:4,3} ({@code io.torussm.sim.shape}, and {@link io.torussm.sim.shape.TorusSpec} for tori).
 * {@link io.torussm.sim.RecordedFabric} derives one from a capture, with the registers and faults of its
 * devices. {@link io.torussm.sim.SimFabric} switches it on. {@link io.torussm.sim.SimTransport} is the port
 * of one host, like the transport of a real HCA.
 *
 * <h2>The route of a MAD</h2>
 *
 * <pre>
 *   SimTransport.send -> MadDelivery.submit -> Wires.follow ....... hop by hop, to the last device
 *                                             | latency, loss, duplication (FaultPlan)
 *                        MadDelivery.arrive <-+
 *                          |-- response, trap, SMInfo (if IsSM), SA ---> the client at that port
 *                          |-- Get, Set: MKeyGuard, SubnetAgent (PortSetter, Links), and back along Wires
 *                          |-- TrapRepress: TrapSender
 *                          '-- PerfMgt, congestion control: PerfAgent, sim.congestion, and back
 * </pre>
 *
 * <p>Directed routes keep both path vectors, the hop pointer and the D bit at each step, with LID-routed ends
 * if DrSLID and DrDLID request them (IBA 14.2.2). All other MADs follow the programmed linear tables: LinearFDBTop, 255
 * discards, at most 512 switches in a row. Except for SMPs, links must be ACTIVE and no SL may map to VL15.
 *
 * <h2>The devices</h2>
 *
 * <p>Devices answer NodeDescription, NodeInfo, SwitchInfo, PortInfo, GUIDInfo, P_KeyTable, SLtoVLMappingTable
 * per pair of ports, VLArbitrationTable, linear and multicast tables. They check M_Keys with protection bits,
 * lease and violation counter. They reject values out of range with status 0x001C and unknown attributes with
 * 0x000C. A Set moves a port one state up. Switches set PortStateChange and send trap 128 when a link goes up
 * or down without a Set. Ports send 144 when IsSM changes and 256 for a wrong M_Key. A trap is repeated every
 * second, eight times at most, until it is repressed.
 *
 * <p>Every port has the counters of IBA 16.1.3.5 ({@link io.torussm.sim.model.PortCounter}), which the performance
 * management agent of its device shows and clears. They count lost links and packets that a lossy cable
 * spoiled. They count MADs at every port on the route, beginning with the first request for counters. Tests
 * and the data plane add to them ({@link io.torussm.sim.SimCounters}).
 *
 * <h2>Their faults</h2>
 *
 * <p>{@link io.torussm.sim.model.DeviceModels} lists imperfect devices, by GUID or by name, in code or in a file of
 * the daemon:
 *
 * <ul>
 * <li>{@link io.torussm.sim.topology.Hardware}: registers after power-up.
 * <li>{@link io.torussm.sim.model.AgentProfile}: an agent that rejects, is busy, is silent, ignores Sets, or hides
 * extended speeds, permanently, for a time or with a probability.
 * <li>{@link io.torussm.sim.model.CounterProfile}: counters of 64 bits that are missing, wrap, are cleared by
 * others or are redirected.
 * <li>{@link io.torussm.sim.model.BouncingLink}: a link that goes down at a given request, between any two stages of
 * a sweep.
 * </ul>
 *
 * <p>{@link io.torussm.sim.GroupClient} models the multicast groups of a Linux host. It joins again on four
 * events and otherwise assumes that its groups persist, so that a test sees the hosts that lost their groups.
 *
 * <p>{@link io.torussm.sim.SimFabric#limitQueues} gives ports and agents queues for VL15, which serve one SMP at a
 * time and drop SMPs when they are full. {@link io.torussm.transport.port.KernelPort} around a transport adds the
 * time-outs, duplicate checks and limits of the Linux kernel. Both are optional.
 *
 * <h2>Omissions</h2>
 *
 * <ul>
 * <li>The time on the wire is computed when a MAD departs: a link that fails meanwhile does not stop it. This
 * costs two tasks of the loop per transaction instead of two per hop.
 * <li>Training takes no time. The data plane ({@code io.torussm.dataplane}) models data traffic, bandwidth
 * and credits.
 * <li>Multicast tables are stored but not used for forwarding. GMPs go to unicast LIDs only.
 * <li>P_Keys and Q_Keys are stored but not enforced. There are no traps 129, 130, 257 to 259, no samples of
 * counters and no random forwarding table. MulticastFDBTop is stored only.
 * <li>Changes of enabled width or speed are stored and do not change the active rate.
 * <li>A port has one client. Without {@code KernelPort} an unanswered request does not return, so the sender
 * needs a timer.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <p>All work is done on the loop. Transports may be used from any thread and switch to it. Clients are
 * called on it, never from within their own call of {@code send}.
 *
 * <h2>Cost</h2>
 *
 * <p>Tables exist after their first write. Linear tables have pages of 1,024 LIDs, SL2VL one {@code long} per
 * pair of ports, and all others exist per port when first set. At the maximum, 16,384 switches of 8 ports
 * with full tables for 49,151 LIDs, the linear tables are 16,384 x 48 KiB = 768 MiB.
 *
 * <p>Measured by {@code MaximumFabricTest} on a torus:32x32x16 with a host at each switch: 61 MiB of heap at
 * power-up, 838 MiB with all linear tables written, by 12.6 million SMPs of 42 hops there and back. The rate
 * was 0.5 million a second while other builds kept the two cores busy.
 *
 * <p>A port with counts takes 300 bytes more, twice that once its counters were cleared. A pair of ports
 * takes 8 bytes once SL2VL is programmed: 10 MiB more for switches of 8 ports, 325 MiB for 50.
 */
@NullMarked
package io.torussm.sim;

import org.jspecify.annotations.NullMarked;
