package io.torussm.routing.lash;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The arrangements of the neighbours of a switch in meshes and tori. The shape around a switch is the matrix of
 * distances between its neighbours, on ways around the switch. Matrices are compared by their characteristic
 * polynomial, the signature, which does not depend on the order of links.
 *
 * <p>All numbers have 32 bits and overflow, so that shapes that are equal in OpenSM are equal here.
 */
final class MeshShapes {
    /** The number of links of a switch in the largest known shape. */
    static final int MAX_LINKS = 8;

    /** The distance of neighbours that only this switch connects. */
    static final int UNREACHABLE = Integer.MAX_VALUE;

    /** The sizes of a dimension that have different shapes; 6 represents all larger sizes. */
    private static final int[] SIZES = {2, 3, 5, 6};

    private static final List<Shape> SHAPES = all();

    private record Shape(int dimensions, int[] signature) {}

    private MeshShapes() {}

    /**
     * Returns the dimensions of the mesh or torus around a switch.
     *
     * @param signature signature of the distances between its neighbours
     * @return number of dimensions; 0 if no known shape has the signature
     */
    static int dimensions(int[] signature) {
        return SHAPES.stream()
                .filter(shape -> Arrays.equals(shape.signature, signature))
                .mapToInt(Shape::dimensions)
                .findFirst()
                .orElse(0);
    }

    /**
     * Returns the coefficients of the characteristic polynomial det(M - xI), from the constant term on, without the
     * highest. Determinants are expanded by rows: {@code minors[columns][power]} is the coefficient for the first
     * rows and a set of as many columns (bit c for column c).
     *
     * @param distances square matrix {@code [link][link]}
     */
    static int[] signature(int[][] distances) {
        int size = distances.length;
        int[][] minors = new int[1 << size][size + 1];
        minors[0][0] = 1;
        for (int columns = 1; columns < minors.length; columns++) {
            int row = Integer.bitCount(columns) - 1;
            for (int column = 0; column < size; column++) {
                if ((columns >> column & 1) != 0) {
                    int[] minor = minors[columns & ~(1 << column)];
                    int sign = (Integer.bitCount(columns >> column + 1) & 1) == 0 ? 1 : -1;
                    for (int power = 0; power <= row; power++) {
                        minors[columns][power] += sign * distances[row][column] * minor[power];
                        minors[columns][power + 1] -= row == column ? sign * minor[power] : 0;
                    }
                }
            }
        }
        return Arrays.copyOf(minors[minors.length - 1], size);
    }

    private static List<Shape> all() {
        List<Shape> shapes = new ArrayList<>();
        for (int dimensions = 1; dimensions <= MAX_LINKS; dimensions++) {
            List<List<Integer>> sizes = new ArrayList<>();
            addSizes(dimensions, 0, new ArrayList<>(), sizes);
            sizes.sort(Comparator.comparingInt(MeshShapes::links));
            sizes.forEach(sizesOfShape -> shapes.add(shape(sizesOfShape)));
        }
        shapes.add(new Shape(2, new int[] {-192, -256, -80, 0}));
        return shapes;
    }

    /** Adds all ascending lists of sizes that have a number of dimensions, in lexicographic order. */
    private static void addSizes(int dimensions, int from, List<Integer> chosen, List<List<Integer>> all) {
        if (links(chosen) > MAX_LINKS) {
            return;
        }
        if (chosen.size() == dimensions) {
            boolean isUnknown = dimensions == 4 && chosen.get(0) >= 5;
            if (!isUnknown) {
                all.add(List.copyOf(chosen));
            }
            return;
        }
        for (int i = from; i < SIZES.length; i++) {
            chosen.add(SIZES[i]);
            addSizes(dimensions, i, chosen, all);
            chosen.remove(chosen.size() - 1);
        }
    }

    /** Returns the number of links of a switch: two for each dimension, but one for a dimension of two switches. */
    private static int links(List<Integer> sizes) {
        return 2 * sizes.size() - Collections.frequency(sizes, 2);
    }

    private static Shape shape(List<Integer> sizes) {
        int[][] distances = new int[links(sizes)][links(sizes)];
        for (int[] row : distances) {
            Arrays.fill(row, 2);
        }
        int link = 0;
        for (int size : sizes) {
            distances[link][link] = 0;
            if (size > 2) {
                int distance = size == 6 ? sizes.size() == 1 ? 6 : 4 : size - 2;
                distances[link][link + 1] = distance;
                distances[link + 1][link] = distance;
                distances[link + 1][link + 1] = 0;
            }
            link += size > 2 ? 2 : 1;
        }
        return new Shape(sizes.size(), signature(distances));
    }
}
