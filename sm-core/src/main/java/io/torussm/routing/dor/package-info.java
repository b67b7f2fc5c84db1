/**
 * Dimension order routing as OpenSM does it ({@code opensm(8)}, "DOR Routing Algorithm"): min hop, but where several neighbours
 * are on a shortest path, always the one behind the lowest port, or the first in the order that
 * {@code port_search_ordering_file} gives. On a mesh or a hypercube whose switches are cabled alike, with the ports of the
 * first dimension before those of the second, or with that order in the file, every packet then goes along the first dimension
 * first, and no credit loop can close.
 *
 * <p><b>What it does not know.</b> It knows nothing of dimensions, only of port numbers. With ports in another order, with
 * cables lost, or on a torus, whose rings wrap, its tables can deadlock; so it does not claim that they cannot, and the
 * checker says what it found.
 *
 * <p><b>Parallel cables</b> to that neighbour share the load as all ports do with {@link io.torussm.routing.balance}; of those
 * with equal counts a LID takes one that was given fewer LIDs of the same host.
 */
@NullMarked
package io.torussm.routing.dor;

import org.jspecify.annotations.NullMarked;
