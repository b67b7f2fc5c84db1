/**
 * Where switches are drawn that stand in no torus: trees in levels, other fabrics as a plane graph of springs would lie.
 *
 * <p><b>What enters</b> is a {@link io.torussm.daemon.layout.CableGraph}: switches by GUID, their hosts, and which of them are cabled. Who
 * makes it puts in what was lost too, so that a fault changes no picture. <b>What leaves</b> is a {@link
 * io.torussm.daemon.layout.Layout}. Vertices are numbered by GUID, rounds are counted and chance plays no part: the same graph has
 * the same layout wherever its discovery began.
 *
 * <p><b>Trees.</b> The level of a switch is how far hosts are from it, or switches that are cabled like those with hosts; a graph is a tree if
 * no cable joins switches of the same level.
 * Within levels, first what hangs together lower down is put side by side, pods then being stretches of their level; then switches
 * move to the mean of those they are cabled to, a fixed number of times up and down (Sugiyama, Tagawa and Toda, 1981).
 *
 * <p><b>Other graphs.</b> Distances on the screen shall be numbers of hops. A first guess is the projection on the two main axes of
 * the distances to some pivots (Brandes and Pich, Eigensolver methods for progressive multidimensional scaling of large data, 2006); then
 * each switch in turn moves to where stress is least for it (Gansner, Koren and North, Graph drawing by stress majorization, 2004), with
 * regard to pivots and neighbours. Fabrics too large for that are drawn in levels around the switch with the most neighbours.
 *
 * <p><b>What stays.</b> {@link io.torussm.daemon.layout.LayoutMemory} keeps the places of the last layout; only newcomers are placed, unless
 * they are many. Owner thread: whoever draws. Cost: 2,000 switches in a few tenths of a second, once for each change of the cabling.
 */
@NullMarked
package io.torussm.daemon.layout;

import org.jspecify.annotations.NullMarked;
