/**
 * The torus-2QoS routing engine: dimension-order routing on a 2D or 3D torus or mesh, with two QoS levels, free of credit
 * loops. The file, the tables and the path SLs are those of OpenSM's engine of the same name, bit for bit, so that one can
 * take over from the other without disturbing a single connection, unless paths between opposite switches
 * of a ring are to be split ({@link io.torussm.torus2qos.Balance}), or LIDs of a port to have paths of their own ({@link
 * io.torussm.torus2qos.Multipath}).
 *
 * <h2>Why a torus deadlocks, and what is done about it</h2>
 *
 * <p>Packets go along x, then y, then z, the short way round each ring. Turns then never close a loop, but a ring itself
 * does: x+ waits for x+ waits for x+. So each ring has a <em>dateline</em>, and a path that crosses it says so in its SL,
 * one bit for each dimension. A switch puts such packets on the odd VL of that ring's cables. As a short way is at most
 * half a ring, the packets of either VL can never wait all the way round.
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
 * <p>The SL is made of the coordinates of the two switches alone ({@link io.torussm.torus2qos.TorusSl}): no failure in
 * between changes it, so what applications hold on to stays true. That is what the whole design pays for.
 *
 * <h2>The stages</h2>
 *
 * <ol>
 *   <li>{@link io.torussm.torus2qos.Torus2QosConf}: the file, with every check that needs no fabric. All lines are read and
 *       all errors reported; one error refuses every run.
 *   <li>{@link io.torussm.torus2qos.TorusDiscovery}: from the seed outwards, the place of every switch. A sweep over the
 *       cubes of the grid finds the fourth corner of a square, or the one step out of a plane that closes squares;
 *       {@link io.torussm.torus2qos.CubeTable} has the order of attempts. The order in which switches are placed decides
 *       which of several parallel cables a destination gets, hence all the tie-breaks. {@link
 *       io.torussm.torus2qos.Completion} then adds healthy switches that lie on no whole square any more; {@link
 *       io.torussm.torus2qos.Placement} tries and compares seeds, and looks for other sizes where the file's leave much over.
 *   <li>{@link io.torussm.torus2qos.TorusCheck}: is anything missing? As yet, then the answer is a refusal that names it.
 *   <li>{@link io.torussm.torus2qos.TorusRoutes}: the forwarding tables, by {@link io.torussm.torus2qos.LidPaths} for each kind of LID.
 *   <li>{@link io.torussm.torus2qos.TorusSl} and {@link io.torussm.torus2qos.TorusSl2Vl}: arithmetic, and sixteen rows.
 * </ol>
 *
 * <h2>What it costs</h2>
 *
 * <p>The way from a switch to a destination depends on one coordinate at a time, so a table per dimension, switch and
 * target coordinate ({@link io.torussm.torus2qos.LineTable}, 3 S N bytes) answers each of the S * S questions with at most
 * three look-ups. With single cables the LIDs of all switches at another x share a port, so runs of LIDs are filled at
 * once; with parallel cables each destination is dealt out in order. Switches are independent and are filled in parallel,
 * row by row. The tables dominate the memory: S * (top LID + 1) bytes, 34 MB for 16x16x16 with a host each, 573 MB for
 * 24x24x24 with two. There is no second copy. Path SLs need an int per LID.
 *
 * <h2>What is left out</h2>
 *
 * <p>Damaged tori. {@link io.torussm.torus2qos.LineTable} already knows the long way round a broken ring and the early turn
 * beside a missing switch, and tests hold both against the reference; what is missing is the judgement which damage leaves
 * the fabric free of credit loops. Until then {@link io.torussm.torus2qos.TorusCheck} refuses. Multicast trees, the report
 * of changes and VL arbitration are not here either.
 *
 * <p>Where the reference takes a dateline outside 32 bits for some number inside, this engine refuses the line. Where it
 * would try sizes for which a subnet has not enough LIDs, this engine says so.
 */
@NullMarked
package io.torussm.torus2qos;

import org.jspecify.annotations.NullMarked;
