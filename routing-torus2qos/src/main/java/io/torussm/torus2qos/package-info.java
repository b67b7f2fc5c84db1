/**
 * The torus-2QoS routing engine: dimension-order routing on a 2D or 3D torus or mesh, with two QoS levels,
 * free of credit loops. The file, the tables and the path SLs are identical to those in OpenSM's engine of
 * the same name. So one SM can take over from the other without disturbing a connection. The exceptions are
 * split ties between opposite switches of a ring ({@link io.torussm.torus2qos.conf.Balance}) and different paths
 * for the LIDs of a port ({@link io.torussm.torus2qos.discovery.Multipath}).
 *
 * <h2>Why a torus deadlocks, and how this is avoided</h2>
 *
 * <p>Packets go along x, then y, then z, the short way around each ring. Turns then never close a loop, but a
 * ring itself does: x+ waits for x+ waits for x+. So each ring has a <em>dateline</em>, and the SL of a path
 * has one bit for each dimension whose dateline the path crosses. A switch puts such packets on the odd VL of
 * that ring's cables. As a short way is at most half a ring, the packets of either VL can never form a credit
 * loop around it.
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
 * failure in between changes it, so a path record that an application has cached stays valid. This is the
 * purpose of the whole design.
 *
 * <h2>The stages</h2>
 *
 * <ol>
 * <li>{@link io.torussm.torus2qos.conf.Torus2QosConf}: the file, with every check that needs no fabric. All lines
 *     are read and all errors reported; one error refuses every run.
 * <li>{@link io.torussm.torus2qos.discovery.TorusDiscovery}: the position of every switch, from the seed outwards. A
 *     search over the cubes of the grid finds the fourth corner of a square, or the one step out of a plane
 *     that closes squares. {@link io.torussm.torus2qos.discovery.CubeTable} has the order of attempts. The order in
 *     which switches are placed decides which of several parallel cables a destination gets, hence all the
 *     tie-breaks. {@link io.torussm.torus2qos.discovery.PlacementCompletion} then adds healthy switches that lie on no
 *     complete square. {@link io.torussm.torus2qos.discovery.Placement} tries and compares seeds, and searches other
 *     sizes if the sizes in the file leave many switches or positions over.
 * <li>{@link io.torussm.torus2qos.discovery.TorusCheck}: missing switches and cables, and their consequences.
 * <li>{@link io.torussm.torus2qos.TorusRoutes}: the forwarding tables, by
 *     {@link io.torussm.torus2qos.LidPaths} for even and for odd LIDs.
 * <li>{@link io.torussm.torus2qos.TorusSl} and {@link io.torussm.torus2qos.TorusSl2Vl}: arithmetic, and
 *     sixteen rows.
 * </ol>
 *
 * <h2>Costs</h2>
 *
 * <p>The way from a switch to a destination depends on one coordinate at a time. So a table per dimension,
 * switch and target coordinate ({@link io.torussm.torus2qos.LineTable}, 3 S N bytes) answers each of the S *
 * S questions with at most three look-ups. With single cables the LIDs of all switches at another x share a
 * port, so runs of LIDs are filled together. With parallel cables destinations are assigned to cables in
 * order. Switches are independent and are filled in parallel, row by row. The tables dominate the memory: S *
 * (top LID + 1) bytes, 34 MB for 16x16x16 with a host each, 573 MB for 24x24x24 with two. There is no second
 * copy. Path SLs need an int per LID.
 *
 * <h2>Differences from the reference</h2>
 *
 * <p>If a dateline does not fit 32 bits, the reference uses some number inside, but this engine refuses the
 * line. If a subnet has not enough LIDs for some sizes, the reference would try them, but this engine reports
 * it.
 */
@NullMarked
package io.torussm.torus2qos;

import org.jspecify.annotations.NullMarked;
