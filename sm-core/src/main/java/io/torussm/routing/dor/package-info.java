/**
 * Dimension order routing as OpenSM does it: min hop, but where several neighbours are on a shortest path, always the one
 * behind the lowest port, or the first in the order that {@code port_search_ordering_file} gives. On a mesh or a hypercube whose switches are cabled alike, with the ports of the first dimension
 * before those of the second, or with that order in the file, every packet then goes along the first dimension first, and no credit loop can close.
 *
 * <p><b>What it does not know.</b> It knows nothing of dimensions, only of port numbers. With ports in another order, with
 * cables lost, or on a torus, whose rings wrap, its tables can deadlock; so it does not claim that they cannot, and the
 * checker says what it found.
 *
 * <p><b>Ties.</b> For each switch, destination LIDs are taken by offset (all base LIDs first), and within an offset in the
 * order of {@link io.torussm.routing.dor.DestinationOrder}. Ports are searched in the order of the file, then of their
 * numbers. A LID takes
 *
 * <ol>
 *   <li>of the ports that lead nearer, those to the neighbour of the first one (parallel cables to it);
 *   <li>of these, the one that was given the fewest LIDs of hosts so far at this switch;
 *   <li>of these, one that was given fewer LIDs of the same host than the one chosen before it in the order of ports;
 *   <li>of these, the first.
 * </ol>
 *
 * <p><b>Cost.</b> For S switches of P ports and L host LIDs: S breadth first searches, one byte for each pair of switches,
 * and S x L choices among parallel cables. What is left out: keeping
 * routes that switches hold already.
 */
@NullMarked
package io.torussm.routing.dor;

import org.jspecify.annotations.NullMarked;
