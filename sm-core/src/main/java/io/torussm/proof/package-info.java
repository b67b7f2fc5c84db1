/**
 * The proof of tables of any origin. Tables of switches, read from files, are verified as they are, for each pair of
 * end ports and for each group, without assumptions on their computation.
 *
 * <p><b>The input</b> is {@link io.torussm.proof.FabricTables}: switches, end ports, cables, forwarding tables, SL2VL
 * rows, SLs by pair, multicast tables. There is no plan, no engine and no setting of this SM: a LID may be missing, a
 * cable may lead nowhere, a group may have loops. <b>The output</b> is a {@link io.torussm.proof.FabricProof}. It
 * states whether channels can wait for each other in a cycle: for hosts, with ports 0 of switches, with groups, and
 * for all together. It lists lost packets, and the shortest cycle with a path for each of its steps. It includes the
 * certificate, {@link io.torussm.proof.ChannelRanks}: a rank for every used channel, which increases on every path.
 * All code is pure and runs on the thread of the caller.
 *
 * <p><b>Relation to {@code io.torussm.deadlock}.</b> Package {@code deadlock} verifies a {@link
 * io.torussm.routing.Plan}, with the rules by which this SM programs switches, and computes trees. Package {@code
 * proof} accepts any input. Neither uses the other, and a test compares their verdicts on the same tables. The common
 * theory is in {@code docs/developer/proof.md}.
 *
 * <p><b>The walk.</b> For one destination LID the entries of all switches form an in-tree. {@code DestinationWalk}
 * visits the tree once, leaves first, with sets of SLs by ingress class (input ports whose SL2VL rows are equal).
 * {@code ChannelUse} collects the SLs for each ingress class, egress port and next port. A tree with a loop is walked
 * until no set grows. {@code GroupWalk} floods each group over channels, from every end port that may send. {@code
 * WaitGraph} is the result: channels and their dependencies. It contains no switches, so it also verifies routes of
 * any other network ({@link io.torussm.proof.ChannelRoutes}).
 *
 * <p><b>Cost.</b> For S switches of P ports, D destination LIDs and c classes: S x D x c steps, and two bytes for each
 * (class, port, next port). SLs by pair need most memory, one byte for each pair: 64 MiB for 4,096 switches with one
 * host each.
 */
@NullMarked
package io.torussm.proof;

import org.jspecify.annotations.NullMarked;
