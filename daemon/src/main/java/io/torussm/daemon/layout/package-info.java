/**
 * The places of switches in a picture, for fabrics other than tori: trees in levels, other fabrics on
 * a plane.
 *
 * <p><b>Input</b> is a {@link io.torussm.daemon.layout.CableGraph}: switches by GUID, their hosts, and the
 * cables between them. The caller includes lost switches and cables, so that a fault does not change the
 * picture. <b>Output</b> is a {@link io.torussm.daemon.layout.PictureLayout}. Vertices are numbered by GUID, the
 * number of rounds is fixed, and there are no random numbers. So the same graph has the same layout for any
 * starting point of discovery.
 *
 * <p><b>Trees.</b> The level of a switch is its distance from hosts, or from switches with the same cabling
 * as a switch with hosts. A graph is a tree if no cable joins switches of the same level. Within a level,
 * switches that are connected further down are placed side by side, so a pod is an interval of its level.
 * Then the switches move to the mean of their neighbours, a fixed number of times up and down (Sugiyama, Tagawa
 * and Toda, 1981).
 *
 * <p><b>Other graphs.</b> Distances on the screen approximate numbers of hops. The first approximation is the
 * projection on the two main axes of the distances to some pivots (Brandes and Pich, Eigensolver methods for
 * progressive multidimensional scaling of large data, 2006). Then each switch in turn moves to the point of
 * its least stress (Gansner, Koren and North, Graph drawing by stress majorization, 2004), with regard to
 * pivots and neighbours. Fabrics too large for that are drawn in levels around the switch with the most
 * neighbours.
 *
 * <p><b>Stability.</b> {@link io.torussm.daemon.layout.LayoutMemory} keeps the places of the last layout;
 * only new switches are placed, unless they are many. Runs on the thread of the caller. Cost: 2,000 switches in a
 * few tenths of a second, once for each change of the cabling.
 */
@NullMarked
package io.torussm.daemon.layout;

import org.jspecify.annotations.NullMarked;
