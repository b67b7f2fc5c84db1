/**
 * The embedded fabric: simulated switches and channel adapters that obey SMPs as hardware does, for demos, tests and
 * planning.
 *
 * <h2>Why</h2>
 *
 * <p>A subnet manager is judged by what the switches hold in the end, not by what it believes to have sent. So that tests
 * can ask the switches, this package keeps a whole subnet in memory, reachable only as a real one is: through MADs of 256
 * bytes. On {@link io.torussm.sim.VirtualLoop} hours pass in milliseconds and a seed replays every fault; on a real loop
 * the same fabric serves the demo mode of the daemon.
 *
 * <h2>From file to power-up</h2>
 *
 * <p>{@link io.torussm.sim.Topology} is the machine room before power is switched on: nodes, GUIDs, cables. It comes from
 * {@link io.torussm.sim.TopologyText} (what ibnetdiscover prints and ibsim reads) or from
 * a word such as {@code tree:4,3} ({@code io.torussm.sim.shape}, and {@link io.torussm.sim.TorusSpec} for tori); {@link io.torussm.sim.RecordedFabric} makes one of a capture,
 * with the registers and faults of its devices. {@link io.torussm.sim.SimFabric} switches it on;
 * {@link io.torussm.sim.SimTransport} is the port of one host, as the transport of a real HCA would be.
 *
 * <h2>The way of a MAD</h2>
 *
 * <pre>
 *   SimTransport.send -> MadDelivery.submit -> Wires.follow ....... hop by hop, to the last device
 *                                             | latency, loss, duplication (FaultPlan)
 *                        MadDelivery.arrive <-+
 *                          |-- response, trap, SMInfo (if IsSM), SA ---> the client at that port
 *                          |-- Get, Set: MKeyGuard, SubnetAgent (PortSetter, Links), and back along Wires
 *                          |-- TrapRepress: TrapSender
 *                          '-- PerfMgt, congestion control: PerfAgent, and back
 * </pre>
 *
 * <p>Directed routes keep both path vectors, the hop pointer and the D bit at each step, with LID-routed ends where DrSLID
 * and DrDLID ask for them (IBA 14.2.2). Everything else follows the linear tables that were programmed: LinearFDBTop, 255
 * discards, no more than 512 switches in a row, and, except for SMPs, only ACTIVE links and no SL mapped to VL 15.
 *
 * <h2>What the devices do</h2>
 *
 * <p>They answer NodeDescription, NodeInfo, SwitchInfo, PortInfo, GUIDInfo, P_KeyTable, SLtoVLMappingTable per pair of
 * ports, VLArbitrationTable, linear and multicast tables; check M_Keys with protection bits, lease and violation counter;
 * refuse what is out of range with status 0x001C and what they do not know with 0x000C. Ports take one step up per Set.
 * Switches set PortStateChange and send trap 128 when a link goes up or down by itself; ports send 144 when IsSM changes
 * and 256 for a wrong M_Key; a trap is repeated every second, eight times at most, until it is repressed.
 *
 * <p>Every port has the counters of IBA 16.1.3.5 ({@link io.torussm.sim.PortCounter}), which the performance management agent of its
 * device shows and clears. They count links that go down and what a lossy cable spoils; MADs at every port that these pass, from the
 * first moment when somebody asks for counters; and whatever tests and the data plane add ({@link io.torussm.sim.SimCounters}).
 *
 * <h2>How bad they are</h2>
 *
 * <p>{@link io.torussm.sim.DeviceModels} says which devices depart from perfect ones, by GUID or by name, in code or in a file of
 * the daemon: {@link io.torussm.sim.Hardware}, what is in registers after power-up; an {@link io.torussm.sim.AgentProfile}, by
 * which an agent refuses, is busy, is deaf, does not obey, or hides extended speeds, for ever, for a time or with a probability;
 * {@link io.torussm.sim.CounterProfile}, by which counters of 64 bits are missing, wrap, are cleared by others or are to be had elsewhere;
 * {@link io.torussm.sim.LinkBounce}, a link that falls at a moment that a request marks, between any two stages of a sweep.
 *
 * <p>{@link io.torussm.sim.GroupClient} is what the Linux kernel of a host knows of multicast groups: it joins again on four
 * events and forgets nothing otherwise, so that a test sees who is left without his groups.
 *
 * <p>{@link io.torussm.sim.SimFabric#bound} gives ports and agents queues for VL 15 that are served one SMP at a time and drop
 * what they have no room for; {@link io.torussm.sim.KernelPort} around a transport adds what the Linux kernel does with time-outs,
 * duplicates and bursts. Both are off unless asked for.
 *
 * <h2>What is left out</h2>
 *
 * <ul>
 *   <li>Time on the wire is added up when a MAD departs: a link that fails meanwhile does not stop it. This costs two
 *       tasks of the loop for a transaction instead of two per hop.
 *   <li>Training takes no time. There is no data traffic here, no bandwidth, no credits: that is the data plane's,
 *       {@code io.torussm.dataplane}.
 *   <li>Multicast tables are stored but nothing is forwarded by them; GMPs go to unicast LIDs only.
 *   <li>P_Keys and Q_Keys are stored but not enforced; no traps 129, 130, 257 to 259; no samples of counters, no random
 *       forwarding table; MulticastFDBTop is stored only.
 *   <li>Changes of enabled width or speed are stored and do not change the active rate.
 *   <li>One client per port. Without {@code KernelPort} a request that nobody answers does not come back; the sender must
 *       watch the clock.
 * </ul>
 *
 * <h2>Threads</h2>
 *
 * <p>One: the loop. Transports may be used from any thread and move to it; clients are called on it, never from within
 * their own call of {@code send}.
 *
 * <h2>Cost</h2>
 *
 * <p>Tables exist from the first write on: linear tables in pages of 1,024 LIDs, SL2VL as one {@code long} for each pair of
 * ports, everything else per port when it is first set. At the maximum, 16,384 switches of 8 ports with full tables for
 * 49,151 LIDs, the linear tables are 16,384 x 48 KiB = 768 MiB.
 * Measured by {@code MaximumFabricTest} on a torus:32x32x16 with a host at each switch: 61 MiB of heap at power-up,
 * 838 MiB with all linear tables written, by 12.6 million SMPs of 42 hops there and back; 0.5 million a second while other
 * builds kept the two cores busy.
 * A port that has counted anything costs 300 bytes more, twice that once its counters were cleared.
 * A pair of ports costs 8 bytes once SL2VL is programmed: 10 MiB more for switches of 8 ports, 325 MiB for 50.
 */
@NullMarked
package io.torussm.sim;

import org.jspecify.annotations.NullMarked;
