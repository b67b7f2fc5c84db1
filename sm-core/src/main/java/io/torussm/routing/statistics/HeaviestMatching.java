package io.torussm.routing.statistics;

import java.util.Arrays;

/**
 * The heaviest matching of rows to columns, by the Hungarian method with potentials (Kuhn 1955, Munkres 1957): exact,
 * in integers. A row after the other is matched along the shortest augmenting path, so it takes rows * rows * columns
 * steps.
 */
final class HeaviestMatching {
    private static final int NONE = -1;

    private final int[][] weights;
    private final int rows;
    private final int columns;
    private final long[] rowPrice;
    private final long[] columnPrice;

    /** By column: its row, NONE if it has none. The column after the last is the one by which a new row comes in. */
    private final int[] rowOf;

    private final int[] before;
    private final long[] slack;
    private final boolean[] isDone;

    private HeaviestMatching(int[][] weights) {
        this.weights = weights;
        rows = weights.length;
        columns = rows == 0 ? 0 : weights[0].length;
        rowPrice = new long[rows];
        columnPrice = new long[columns + 1];
        rowOf = new int[columns + 1];
        before = new int[columns + 1];
        slack = new long[columns + 1];
        isDone = new boolean[columns + 1];
    }

    /**
     * Matches.
     *
     * @param weights by row and column, 0 or more; no more rows than columns, all of one length
     * @return by row: its column, another for each
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

    /** Returns the free column that is reached at the least cost from the new row; weights are costs below zero. */
    private int shortestPath() {
        Arrays.fill(slack, Long.MAX_VALUE);
        Arrays.fill(isDone, false);
        int at = columns;
        while (rowOf[at] != NONE) {
            isDone[at] = true;
            int row = rowOf[at];
            int nearest = NONE;
            for (int column = 0; column < columns; column++) {
                if (isDone[column]) {
                    continue;
                }
                long cost = -weights[row][column] - rowPrice[row] - columnPrice[column];
                if (cost < slack[column]) {
                    slack[column] = cost;
                    before[column] = at;
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
            at = nearest;
        }
        return at;
    }

    private void augment(int free) {
        for (int column = free; column != columns; column = before[column]) {
            rowOf[column] = rowOf[before[column]];
        }
    }
}
