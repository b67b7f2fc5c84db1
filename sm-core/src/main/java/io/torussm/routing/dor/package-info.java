/**
 * Dimension order routing as in OpenSM ({@code opensm(8)}, "DOR Routing Algorithm"). Paths are shortest, as in
 * {@code minhop}. But if a switch has several neighbours on shortest paths, the path leads through the neighbour
 * at the lowest port, or at the first port in {@code port_search_ordering_file}. So on a mesh or a hypercube
 * with uniform cabling, every packet takes the first dimension first, and no credit loop can close. This
 * requires that the ports of the first dimension come before those of the second, by number or by that file.
 *
 * <p><b>Limits.</b> The engine uses only port numbers and has no notion of dimensions. With another order of
 * ports, with lost cables, or on a torus, whose rings wrap, its tables can deadlock. So it makes no claim, and
 * the checker reports the result.
 *
 * <p><b>Parallel cables</b> to that neighbour share the load as all ports do with {@link
 * io.torussm.routing.balance}. Of cables with equal counts a LID takes one with fewer LIDs of the same host.
 */
@NullMarked
package io.torussm.routing.dor;

import org.jspecify.annotations.NullMarked;
