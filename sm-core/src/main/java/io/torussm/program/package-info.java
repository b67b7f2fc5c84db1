/**
 * Writing the fabric: forwarding, multicast, QoS, P_Key and GUID tables, link states and M_Keys; only what differs from what
 * devices hold.
 *
 * <p>What enters is a plan for a subnet and what the operator decided ({@link io.torussm.program.SweepSettings}); what
 * leaves is the subnet as the devices answered last, how much was written, and what failed
 * ({@link io.torussm.stage.ProgrammingErrors}). {@link io.torussm.program.Programmers} groups what remembers devices from
 * one sweep to the next. In a sweep these stages follow each other: {@link io.torussm.program.TableProgrammer},
 * {@link io.torussm.program.PartitionProgrammer}, {@link io.torussm.program.LinkActivator},
 * {@link io.torussm.program.MKeyRollover}. Between sweeps {@link io.torussm.program.GroupProgrammer} writes what joins and
 * leaves change, and {@link io.torussm.program.GuidProgrammer} alias GUIDs.
 *
 * <p>Order towards the fabric: tables before links. A switch forwards nothing to a port that is not ACTIVE, so a port that
 * comes up finds its tables in place. All ports of the fabric are ARMED before the first becomes ACTIVE. Where old and new
 * tables together could deadlock, they are written in steps ({@link io.torussm.deadlock.Transition}); a link between
 * switches comes up only if all tables are in. A change between discovery and the write that clears PortStateChange would
 * go unnoticed, so ports that were down are read once more after it. LIDs are on the disk before ports are given them
 * ({@link io.torussm.program.LidPersistenceBarrier}), and so are M_Keys.
 *
 * <p>Multicast: entries that a new plan does not have are taken away before any other table changes, those that are new are
 * set after all others, so that no packet runs over a mixture of two trees. An SM that takes over a running fabric reads
 * all multicast blocks once, {@code MulticastFDBCap / 32} for every 16 ports of each switch, and clears what a former master
 * left; blocks of a switch that carries no traffic yet are written when a group needs them.
 *
 * <p>Switches that announce OptimizedSLtoVLMappingProgramming and carry no traffic yet are given SL2VL rows of many pairs of ports with one
 * Set, and are not believed that they do what they announce ({@code Sl2VlSpreading}): 22 SMPs on a torus, whatever the number of ports,
 * instead of {@code P (P + 1)}.
 *
 * <p>An entry is unknown from the moment a write of it is sent until the device confirms it, so whatever is lost is written
 * again. A device that leaves three requests in a row unanswered is given up for the sweep.
 *
 * <p>Cost of a cold sweep of S switches with P linked ports each, H hosts and L LIDs, in SMPs: tables
 * {@code S (L / 64 + P (P + 1) + 2 P) + 3 H}; ports {@code 2 (S P + H) + S}. Requests are pulled one by one as the window has
 * room, so memory does not grow with the work; what devices hold shares the arrays of the plan. Owner thread: the loop,
 * except for the order of a change, which is found on the pool.
 */
@NullMarked
package io.torussm.program;

import org.jspecify.annotations.NullMarked;
