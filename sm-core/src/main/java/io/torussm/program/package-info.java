/**
 * The programming of the fabric: forwarding, multicast, QoS, P_Key and GUID tables, link states and M_Keys. Only
 * differences are written.
 *
 * <p>Input: a plan for a subnet and the settings ({@link io.torussm.program.smp.SweepSettings}). Output: the subnet as
 * of the last answers, the number of writes, and the failures ({@link io.torussm.stage.ProgrammingErrors}). {@link
 * io.torussm.program.Programmers} groups the objects that remember devices from sweep to sweep. A sweep runs these
 * stages: {@link io.torussm.program.table.TableProgrammer}, {@link io.torussm.program.port.PartitionProgrammer}, {@link
 * io.torussm.program.port.LinkActivator}, {@link io.torussm.program.port.MKeyRollover}. Between sweeps {@link
 * io.torussm.program.GroupProgrammer} writes changes of multicast groups, and {@link io.torussm.program.GuidProgrammer}
 * alias GUIDs.
 *
 * <p>Tables are written before links are activated. A switch forwards no packets to a port that is not ACTIVE, so a
 * link finds its tables in place. All ports of the fabric are ARMED before the first becomes ACTIVE. If old and new
 * tables together could deadlock, the tables are written in steps ({@link io.torussm.deadlock.transition.Transition}).
 * A link between switches is activated only if all tables are in place. After the write that clears PortStateChange,
 * the ports of the switch are read once more, because a change between discovery and this write would be lost. LIDs
 * are on the disk before ports receive them ({@link io.torussm.program.LidPersistenceBarrier}), and so are M_Keys.
 *
 * <p>Multicast: entries that a new plan lacks are removed before any other table changes. New entries are set after all
 * other tables. So no packet follows a mixture of two trees. An SM that takes over a running fabric reads all multicast
 * blocks once, {@code MulticastFDBCap / 32} for every 16 ports of each switch, and clears the entries of the previous
 * master. Blocks of a switch that carries no traffic yet are written when a group needs them.
 *
 * <p>Some switches announce OptimizedSLtoVLMappingProgramming. While they carry no traffic, one Set writes SL2VL rows
 * of many pairs of ports, and compliance is verified ({@code Sl2VlSpreading}). On a torus this needs 22 SMPs for any
 * number of ports, instead of {@code P (P + 1)}.
 *
 * <p>While a write of an entry is outstanding, the entry is unknown, so lost writes are repeated. A device that does
 * not respond to three consecutive requests gets no more requests in the sweep.
 *
 * <p>Cost of a cold sweep of S switches with P linked ports each, H hosts and L LIDs, in SMPs: tables {@code S (L / 64
 * + P (P + 1) + 2 P) + 3 H}; ports {@code 2 (S P + H) + S}. Requests are pulled one by one into the window of the
 * client, so memory does not grow with their number. Known tables share the arrays of the plan. Owner thread: the loop,
 * except for the order of a change, which is computed on the pool.
 */
@NullMarked
package io.torussm.program;

import org.jspecify.annotations.NullMarked;
