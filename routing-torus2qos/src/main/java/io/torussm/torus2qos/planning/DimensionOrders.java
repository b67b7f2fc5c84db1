package io.torussm.torus2qos.planning;

import java.util.ArrayList;
import java.util.List;

/** The assignments of the dimensions of a recognised torus to x, y and z. */
final class DimensionOrders {
    /** The permutations of three indices: the identity, then three with one exchange, then two with two exchanges. */
    private static final int[][] PERMUTATIONS = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};

    private DimensionOrders() {}

    /**
     * Returns the orders that give different tori. Dimensions of size 1 stay at the end, so a plane has two orders
     * and a ring has one.
     *
     * @param first first order of the result, with dimensions of size 1 at its end
     */
    static List<int[]> of(int[] first, TorusShape shape) {
        List<int[]> orders = new ArrayList<>();
        for (int[] permutation : PERMUTATIONS) {
            if (keepsThinDimensionsLast(permutation, first, shape)) {
                orders.add(new int[] {first[permutation[0]], first[permutation[1]], first[permutation[2]]});
            }
        }
        return orders;
    }

    /** Checks whether a permutation moves no dimension of size 1. */
    private static boolean keepsThinDimensionsLast(int[] permutation, int[] first, TorusShape shape) {
        for (int i = 0; i < permutation.length; i++) {
            if (shape.radix(first[i]) == 1 && permutation[i] != i) {
                return false;
            }
        }
        return true;
    }
}
