/**
 * The routing engine {@code ftree} ({@code opensm(8)}, "Fat-tree Routing Algorithm"; Zahavi, Johnson, Kerbyson
 * and Lang, "Optimized InfiniBand fat-tree routing for shift all-to-all communication patterns", 2010). It
 * routes k-ary n-trees, XGFTs and their remaining parts after losses. Adjacent hosts are reached over different
 * roots, so that permutations by a shift meet no congestion. Packets go up and then down, so no credit loop can
 * close.
 *
 * <p><b>Input.</b> Ranks, by distance from the roots in {@code root_guid_file} or else from the switches that
 * are farthest from hosts. Without the file the tree has to be even ({@link
 * io.torussm.routing.ftree.TreeEvenness}). For an uneven tree the refusal contains a routable part, for a last
 * resort to complete. With the file, cables and switches may be missing. {@code cn_guid_file} lists the compute
 * nodes. They are attached to switches of one rank, the leaves, and are distributed first. Every refusal names
 * the two switches, the host or the line at fault.
 *
 * <p><b>Method.</b> {@link io.torussm.routing.ftree.SwitchOrder} orders switches from left to right. {@link
 * io.torussm.routing.ftree.FatTreeTables} visits the switches above each destination, and the switches below
 * these, and enters the way back to the destination in each. A leaf with fewer compute nodes than another leaf
 * is routed as if it had as many. Orders and counts are OpenSM's, so its tables are equal, entry by entry.
 *
 * <p><b>Reverse hops.</b> With {@code max_reverse_hops} packets to the hosts in {@code io_guid_file} may go up
 * again after they came down, if there is no other path. In OpenSM such paths close credit loops if such a host
 * is attached above the leaves. This engine checks its tables. If they close a loop, all packets without another
 * path turn at one switch ({@link io.torussm.routing.ftree.TurnedPaths}). If a loop remains, fewer reverse hops
 * are used. A finding reports the choice. {@code connect_roots} is ignored if it would close a loop.
 *
 * <p><b>Pairs without a path</b>, which OpenSM leaves out silently: the engine refuses and names some, unless
 * {@code ftree_allow_partial} is set.
 *
 * <p><b>A tree with losses.</b> Without the file a plan contains the complete tree ({@link
 * io.torussm.subnet.WholeTree}), which the SM keeps and passes to the next run. {@link
 * io.torussm.routing.ftree.TreeUnion} adds new parts, {@link io.torussm.routing.ftree.WholeSubnet} adds absent
 * parts, and the result is routed as a complete tree. {@link io.torussm.routing.ftree.MendedTables} then chooses
 * other entries for paths that are cut. All other entries stay.
 *
 * <p><b>Several LIDs.</b> OpenSM refuses LMC above 0. In this engine, the base LIDs have the tables of LMC 0.
 * The main way of each further LID leaves every switch one way to the right of the previous LID. So the LIDs of
 * a port lead over different switches at the top, and the load of all cables stays balanced.
 *
 * <p><b>Differences.</b> Hosts count as left of switches below the same switch; OpenSM compares unrelated values
 * there. Routers are hosts, but no compute nodes; OpenSM gives routers no route.
 *
 * <p><b>Cost.</b> For S switches and L LIDs: the search for each destination visits each switch once or a few
 * times, so S x L steps. Reverse hops multiply the steps, up to a bound. The memory is that of the tables.
 */
@NullMarked
package io.torussm.routing.ftree;

import org.jspecify.annotations.NullMarked;
