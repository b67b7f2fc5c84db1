package io.torussm.routing;

import java.util.List;

/**
 * A ring of a torus, or the line of switches in a dimension that does not wrap.
 *
 * @param name name as operators write it, such as {@code (*,1,0)}
 * @param dimension 0 to 2, for x to z
 * @param position first position of the ring, counted as in {@link Lattice}
 * @param causes missing switches and cables, in words; empty if it is complete
 */
public record Ring(String name, int dimension, int position, RingState state, List<String> causes) {
    public Ring {
        causes = List.copyOf(causes);
    }
}
