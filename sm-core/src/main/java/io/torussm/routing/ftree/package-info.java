/**
 * The routing engine {@code ftree} ({@code opensm(8)}, "Fat-tree Routing Algorithm"; Zahavi, Johnson, Kerbyson and Lang,
 * "Optimized InfiniBand fat-tree routing for shift all-to-all communication patterns", 2010): on k-ary n-trees, XGFTs and
 * what is left of them after losses, hosts that stand side by side are reached over different roots, so that permutations by a
 * shift meet no congestion. Packets go up and then down, so no credit loop can close.
 *
 * <p><b>What enters.</b> Ranks, by distance from the roots of {@code root_guid_file} or else from the switches that are
 * farthest from hosts. Without the file the tree has to be even ({@link io.torussm.routing.ftree.Shape}), and what is routed of
 * another goes along with the refusal, for a last resort to complete; with it cables and switches may be missing. {@code cn_guid_file} says which hosts compute: these hang on switches of one rank, the leaves, and
 * are spread first. Every refusal names the two switches, the host or the line that it is for.
 *
 * <p><b>How tables come about.</b> {@link io.torussm.routing.ftree.Places} orders switches from left to right.
 * {@link io.torussm.routing.ftree.FatTreeTables} goes from each destination up, and from every switch that it comes to down
 * again, and enters in each the way back. A leaf with fewer compute nodes than others is routed as if it had as many. Orders
 * and counts are OpenSM's, so its tables are equal, entry by entry.
 *
 * <p><b>Reverse hops.</b> With {@code max_reverse_hops} packets to the hosts of {@code io_guid_file} go up again after they
 * came down, if they cannot get there otherwise. OpenSM's paths of this kind close credit loops as soon as such a host hangs
 * above the leaves. Here tables are looked at before they are offered: if they close a loop, all packets without another path
 * turn at one switch ({@link io.torussm.routing.ftree.Turns}); if that does not do, fewer reverse hops are used. The engine
 * says which. {@code connect_roots} is left out if it would close a loop.
 *
 * <p><b>Pairs without a path</b>, which OpenSM leaves out silently: the engine refuses and names some, unless
 * {@code ftree_allow_partial} is set.
 *
 * <p><b>A tree that lost something.</b> Without the file a plan knows the whole tree ({@link io.torussm.subnet.WholeTree}), which the
 * SM keeps and hands to the next run. {@link io.torussm.routing.ftree.TreeUnion} adds what is new,
 * {@link io.torussm.routing.ftree.WholeSubnet} adds what is absent, and that is routed as a whole tree is.
 * {@link io.torussm.routing.ftree.Mending} then chooses entries whose path is cut. All others stay.
 *
 * <p><b>Several LIDs.</b> OpenSM refuses LMC above 0. Here the base LIDs have the tables of LMC 0. The main way of each further
 * LID leaves every switch one way to the right of the LID before it, so the LIDs of a port lead over different switches at the
 * top, and all cables stay as loaded as they were.
 *
 * <p><b>What it leaves out.</b> Hosts stand left of switches below the same switch,
 * where OpenSM compares what it should not; routers are hosts that do not compute, where OpenSM gives them no route.
 *
 * <p><b>Cost.</b> For S switches and L LIDs: each destination enters each switch once or a few times, S x L; memory for the
 * tables. Reverse hops multiply that, up to a bound.
 */
@NullMarked
package io.torussm.routing.ftree;

import org.jspecify.annotations.NullMarked;
