package io.torussm.routing;

import java.util.List;

/**
 * A ring of a torus, or the line of switches in a dimension that does not wrap.
 *
 * @param name name as operators write it, such as {@code (*,1,0)}
 * @param dimension 0 to 2, for x to z
 * @param position position of the ring's switch at coordinate 0, numbered as in {@link Lattice}
 * @param causes missing switches and cables as texts; empty if the ring is complete
 */
public record Ring(String name, int dimension, int position, RingState state, List<String> causes) {
    public Ring {
        causes = List.copyOf(causes);
    }
}
