/**
 * Writing the fabric: forwarding, multicast, QoS, P_Key and GUID tables, link states and M_Keys. Only differences are
 * written.
 *
 * <p>Input: a plan for a subnet and the settings ({@link io.torussm.program.smp.SweepSettings}). Output: the subnet as
 * of the last answers, the number of writes, and the failures ({@link io.torussm.stage.ProgrammingErrors}). {@link
 * io.torussm.program.Programmers} groups the objects that remember devices from sweep to sweep. A sweep runs these
 * stages: {@link io.torussm.program.table.TableProgrammer}, {@link io.torussm.program.port.PartitionProgrammer}, {@link
 * io.torussm.program.port.LinkActivator}, {@link io.torussm.program.port.MKeyRollover}. Between sweeps {@link
 * io.torussm.program.GroupProgrammer} writes changes of multicast groups, and {@link io.torussm.program.GuidProgrammer}
 * alias GUIDs.
 *
 * <p>Tables come before links. A switch forwards nothing to a port that is not ACTIVE, so a port that comes up finds
 * its tables in place. All ports of the fabric are ARMED before the first becomes ACTIVE. If old and new tables
 * together could deadlock, they are written in steps ({@link io.torussm.deadlock.transition.Transition}). A link
 * between switches comes up only if all tables are in place. A change between discovery and the write that clears
 * PortStateChange would go unnoticed, so ports that were down are read once more after it. LIDs are on the disk before
 * ports receive them ({@link io.torussm.program.LidPersistenceBarrier}), and so are M_Keys.
 *
 * <p>Multicast: entries that a new plan lacks are removed before any other table changes. New entries are set after all
 * others. Thus no packet follows a mixture of two trees. An SM that takes over a running fabric reads all multicast
 * blocks once, {@code MulticastFDBCap / 32} for every 16 ports of each switch. It clears the entries of a former
 * master. Blocks of a switch that carries no traffic yet are written when a group needs them.
 *
 * <p>Some switches announce OptimizedSLtoVLMappingProgramming. While they carry no traffic, they receive SL2VL rows of
 * many pairs of ports with one Set, and their compliance is verified ({@code Sl2VlSpreading}). This takes 22 SMPs on a
 * torus for any number of ports, instead of {@code P (P + 1)}.
 *
 * <p>An entry is unknown from the moment a write of it is sent until the device confirms it, so lost writes are
 * repeated. A device that leaves three requests in a row unanswered is given up for the sweep.
 *
 * <p>Cost of a cold sweep of S switches with P linked ports each, H hosts and L LIDs, in SMPs: tables {@code S (L / 64
 * + P (P + 1) + 2 P) + 3 H}; ports {@code 2 (S P + H) + S}. Requests are pulled one by one as the window has room, so
 * memory does not grow with the work. Known tables share the arrays of the plan. Owner thread: the loop, except for the
 * order of a change, which is computed on the pool.
 */
@NullMarked
package io.torussm.program;

import org.jspecify.annotations.NullMarked;
