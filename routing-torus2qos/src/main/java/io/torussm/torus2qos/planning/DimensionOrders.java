package io.torussm.torus2qos.planning;

import java.util.ArrayList;
import java.util.List;

/** The orders in which the dimensions of a torus can be x, y and z. */
final class DimensionOrders {
    /** Three indices in all orders: first as they are, then with one exchange, then with two. */
    private static final int[][] PERMUTATIONS = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}};

    private DimensionOrders() {}

    /**
     * Returns the different orders. A dimension of size 1 comes after all others, so a plane has two orders
     * and a ring has one.
     *
     * @param first the order that is returned first; dimensions of size 1 come last in it
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

    /** Checks whether each dimension of size 1 stays in its place. */
    private static boolean keepsThinDimensionsLast(int[] permutation, int[] first, TorusShape shape) {
        for (int i = 0; i < permutation.length; i++) {
            if (shape.radix(first[i]) == 1 && permutation[i] != i) {
                return false;
            }
        }
        return true;
    }
}
