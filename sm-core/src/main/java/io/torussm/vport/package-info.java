/**
 * The manager of virtual ports (vports) of channel adapters, as SR-IOV makes them.
 *
 * <p>Input: the published subnet after each sweep, and traps 1144 and 1146. Output: vports in ACTIVE, and the table of
 * their GUIDs, by which the SA finds the physical port. It runs beside sweeps and delays none of them: a port is
 * visited after SUBNET UP, {@value io.torussm.vport.VPortManager#MAX_VISITS} ports at a time, one SMP each.
 *
 * <p>A visit is one sequence of SMPs with one physical port. {@code VisitScheduler} orders visits; it has
 * {@code VisitQueue} for fairness and {@code VisitTimers} for devices that do not respond. {@code PortVisit} is one
 * visit, from a {@code VisitTarget} to a {@code VisitResult}: {@code VPortReader} sends its Gets, {@code VPortSetup}
 * changes one vport, {@code VisitProgress} collects the vports, and {@code VisitRequests} limits SMPs and time.
 * {@code VPortPublisher} uses the result.
 *
 * <p>The layouts are those of a vendor, and partly inferred. Therefore the first Set of a kind to a device follows a
 * Get of the same attribute whose values are plausible. A device that rejects, contradicts itself or does not respond
 * keeps its vports as they are, with an event, and no other device waits for it. {@code KeyTables} gives a vport the
 * P_Keys of its GUID, if the device proves how its tables are addressed.
 *
 * <p>{@code VPortLidClaims} gives a vport that requires it a LID of its own. A sweep writes the LID to the switches
 * before the vport comes up.
 *
 * <p>{@code VPortDescriptions} reads the names of vports for people, after all visits that are due.
 *
 * <p>{@code FlappingVPorts} delays vports that come and go again and again, and the visits of hosts that send traps
 * without end. {@code ContestedGuids} has the ports of which two have a vport with the same GUID.
 *
 * <p>Cost: six SMPs for a new port, five for each new vport and one for each block of its P_Keys, and
 * one after each sweep for a port without news. What changes for one vport costs processor time for the vports of its
 * port, besides a copy of references to the tables of all ports. Owner thread: the loop, except for the table.
 */
@NullMarked
package io.torussm.vport;

import org.jspecify.annotations.NullMarked;
