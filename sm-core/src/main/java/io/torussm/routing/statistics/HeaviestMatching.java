package io.torussm.routing.statistics;

import java.util.Arrays;

/**
 * The matching of rows to columns with the maximum sum of weights, by the Hungarian method with potentials (Kuhn
 * 1955, Munkres 1957). The result is exact. Each row is matched along the shortest augmenting path, so the cost
 * is rows * rows * columns steps.
 */
final class HeaviestMatching {
    private static final int NONE = -1;

    private final int[][] weights;
    private final int rows;
    private final int columns;
    /** By row: its potential. */
    private final long[] rowPrice;
    /** By column: its potential. */
    private final long[] columnPrice;

    /** By column: its row, NONE without one. The additional last column holds the row that is being matched. */
    private final int[] rowOf;

    /** By column: the previous column on the shortest path. */
    private final int[] previousColumn;
    /** By column: the least reduced cost to reach it. */
    private final long[] slack;

    private final boolean[] isDone;

    private HeaviestMatching(int[][] weights) {
        this.weights = weights;
        rows = weights.length;
        columns = rows == 0 ? 0 : weights[0].length;
        rowPrice = new long[rows];
        columnPrice = new long[columns + 1];
        rowOf = new int[columns + 1];
        previousColumn = new int[columns + 1];
        slack = new long[columns + 1];
        isDone = new boolean[columns + 1];
    }

    /**
     * Returns the heaviest matching.
     *
     * @param weights weights {@code [row][column]}, 0 or more; rows of equal length, and not more rows than columns
     * @return column by row; all columns are different
     */
    static int[] heaviest(int[][] weights) {
        HeaviestMatching assignment = new HeaviestMatching(weights);
        if (assignment.rows > assignment.columns) {
            throw new IllegalArgumentException(assignment.rows + " rows, " + assignment.columns + " columns");
        }
        return assignment.solve();
    }

    private int[] solve() {
        Arrays.fill(rowOf, NONE);
        for (int row = 0; row < rows; row++) {
            rowOf[columns] = row;
            augment(shortestPath());
        }
        int[] columnOf = new int[rows];
        for (int column = 0; column < columns; column++) {
            if (rowOf[column] != NONE) {
                columnOf[rowOf[column]] = column;
            }
        }
        return columnOf;
    }

    /**
     * Returns the free column that is reached from the new row at the least cost. The cost of a pair is its negative
     * weight.
     */
    private int shortestPath() {
        Arrays.fill(slack, Long.MAX_VALUE);
        Arrays.fill(isDone, false);
        int current = columns;
        while (rowOf[current] != NONE) {
            isDone[current] = true;
            int row = rowOf[current];
            int nearest = NONE;
            for (int column = 0; column < columns; column++) {
                if (isDone[column]) {
                    continue;
                }
                long cost = -weights[row][column] - rowPrice[row] - columnPrice[column];
                if (cost < slack[column]) {
                    slack[column] = cost;
                    previousColumn[column] = current;
                }
                if (nearest == NONE || slack[column] < slack[nearest]) {
                    nearest = column;
                }
            }
            long step = slack[nearest];
            for (int column = 0; column <= columns; column++) {
                if (isDone[column]) {
                    rowPrice[rowOf[column]] += step;
                    columnPrice[column] -= step;
                } else {
                    slack[column] -= slack[column] == Long.MAX_VALUE ? 0 : step;
                }
            }
            current = nearest;
        }
        return current;
    }

    /** Assigns the rows along the path to a free column to the next columns. */
    private void augment(int free) {
        for (int column = free; column != columns; column = previousColumn[column]) {
            rowOf[column] = rowOf[previousColumn[column]];
        }
    }
}
