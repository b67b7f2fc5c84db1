/**
 * The proof of tables that somebody else computed: what switches hold or files say is judged as it stands, source by source and
 * group by group, with nothing assumed of how it came about.
 *
 * <p><b>What enters</b> are {@link io.torussm.proof.FabricTables}: switches, end ports, cables, forwarding tables, SL2VL rows, SLs by
 * pair, multicast tables. No plan, no engine and no setting of this SM: a LID may be missing, a cable may lead nowhere, a group
 * may go in circles. <b>What leaves</b> is a {@link io.torussm.proof.FabricProof}: for hosts, with ports 0 of switches, with groups, and
 * for all of it whether channels can wait for each other in a circle, which packets are lost, the shortest circle with a path
 * behind each of its steps; and {@link io.torussm.proof.Ranks}, the certificate: a rank for every channel that packets use, which goes up
 * on every path. All of it is pure, on the thread of the caller.
 *
 * <p><b>Beside {@code io.torussm.deadlock}.</b> That package judges a {@link io.torussm.routing.Plan}, under the rules by which this SM
 * programs switches, and grows trees. This one must take what it gets. Neither uses the other, and a test lets both judge the same
 * tables. What both rest on is written out in {@code docs/developer/proof.md}.
 *
 * <p><b>The walk.</b> For one destination LID the entries of all switches make an in-tree. {@code DestinationWalk} goes through it
 * once, leaves first, with sets of SLs by ingress class (input ports whose SL2VL rows are equal), and notes in {@code ChannelUse}
 * which SLs came in by which class, left by which port and had which port next. A tree with a circle is walked until no set grows.
 * {@code GroupWalk} floods each group over channels, from every end port that may send. {@code WaitGraph} is what remains:
 * channels and who waits for whom; it knows no switch, so that routes of any network can be judged with it
 * ({@link io.torussm.proof.ChannelRoutes}).
 *
 * <p><b>What it costs.</b> For S switches of P ports, D destination LIDs and c classes: S x D x c steps, and two bytes for each (class,
 * port, next port). SLs by pair take a byte a pair, which is the most: 64 MiB for 4,096 switches with a host each.
 */
@NullMarked
package io.torussm.proof;

import org.jspecify.annotations.NullMarked;
