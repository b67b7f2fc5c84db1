/**
 * The torus-2QoS routing engine: dimension-order routing on a 2D or 3D torus or mesh, with two QoS levels, free
 * of credit loops. The file, the tables and the path SLs are identical to those in OpenSM's engine of the same
 * name. So TorusSM and OpenSM can take over from each other without disturbing a connection. The exceptions are
 * split ties between opposite switches of a ring ({@link io.torussm.torus2qos.conf.Balance}) and different paths
 * for the LIDs of a port ({@link io.torussm.torus2qos.discovery.Multipath}).
 *
 * <h2>Why a torus deadlocks, and how this is avoided</h2>
 *
 * <p>Packets go along x, then y, then z, the short way around each ring. Turns then never close a loop, but a
 * ring itself does: around a ring, each channel in direction +x waits for the next one. So each ring has a
 * <em>dateline</em>, and the SL of a path has one bit for each dimension whose dateline the path crosses. A
 * switch sends packets with this bit on the odd VLs of that ring's cables. As a short way is at most half a
 * ring, the packets of one VL can never form a credit loop around the ring.
 *
 * <pre>
 *      dateline of x
 *           |                        SL bits                 VL on a cable of dimension d
 *      +-- 0 -- 1 -- 2 -- 3 -- 4 --+   0  crosses x            bit 0  SL bit d
 *      |                           |   1  crosses y            bit 1  turned back (y to x, z to x, z to y)
 *      +---------------------------+   2  crosses z            bit 2  QoS level
 *                                      3  QoS level            to and from hosts: VL 0 and 1 by QoS level
 * </pre>
 *
 * <p>The SL depends only on the coordinates of the two switches ({@link io.torussm.torus2qos.TorusSl}). No
 * failure between the two switches changes the SL, so a path record that an application has cached stays valid.
 * This is the purpose of the whole design.
 *
 * <h2>The stages</h2>
 *
 * <ol>
 * <li>{@link io.torussm.torus2qos.conf.Torus2QosConf}: the file, with every check that needs no fabric. All
 *     lines are read and all errors reported; one error refuses every run.
 * <li>{@link io.torussm.torus2qos.discovery.TorusDiscovery}: the position of every switch, from the seed
 *     outwards. A search over the cubes of the grid finds the fourth corner of a square, or the one step out of
 *     a plane that closes squares. {@link io.torussm.torus2qos.discovery.CubeTable} has the order of attempts.
 *     The order in which switches are placed decides which of several parallel cables a destination gets. {@link
 *     io.torussm.torus2qos.discovery.PlacementCompletion} then adds healthy switches that lie on no complete
 *     square. {@link io.torussm.torus2qos.discovery.Placement} tries and compares seeds, and searches other
 *     sizes if the sizes in the file leave many switches or positions over.
 * <li>{@link io.torussm.torus2qos.discovery.TorusCheck}: missing switches and cables, and their consequences.
 * <li>{@link io.torussm.torus2qos.TorusRoutes}: the forwarding tables, by {@link io.torussm.torus2qos.LidPaths}
 *     for even and for odd LIDs.
 * <li>{@link io.torussm.torus2qos.TorusSl} and {@link io.torussm.torus2qos.TorusSl2Vl}: arithmetic, and sixteen
 *     rows.
 * </ol>
 *
 * <h2>Costs</h2>
 *
 * <p>Let S be the number of switches and N the number of positions along a dimension. The hop from a switch to a
 * destination depends on one coordinate at a time. So a table by dimension, switch and target coordinate ({@link
 * io.torussm.torus2qos.LineTable}, 3 S N bytes) gives each of the S * S hops with at most three look-ups. With
 * single cables, the LIDs of all switches with the same x, other than that of the switch, share an output port.
 * So runs of LIDs are filled together. With parallel cables, destinations are assigned to cables in turn.
 * Switches are independent, so their tables are filled in parallel. The tables dominate the memory: S * (top LID
 * + 1) bytes, 34 MB for 16x16x16 with a host each, 573 MB for 24x24x24 with two. There is no second copy of the
 * tables. Path SLs need 12 bytes per LID.
 *
 * <h2>Differences from the reference</h2>
 *
 * <p>The reference is OpenSM's engine. If a dateline does not fit 32 bits, the reference uses some number that
 * fits, but this engine refuses the line. If the sizes need more LIDs than a subnet has, the reference tries
 * them, but this engine refuses them.
 */
@NullMarked
package io.torussm.torus2qos;

import org.jspecify.annotations.NullMarked;
