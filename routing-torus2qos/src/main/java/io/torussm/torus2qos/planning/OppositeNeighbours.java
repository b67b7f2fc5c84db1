package io.torussm.torus2qos.planning;

import java.util.Arrays;

/**
 * The pairs of neighbours of a switch that are opposite each other, that is, in the two directions of one
 * dimension. Two neighbours that close no square with the switch are opposite, or a cable of their square is
 * missing. So several sets of pairs may be possible. The largest sets are compared, and a pair is certain if it
 * occurs in all of them.
 */
final class OppositeNeighbours {
    static final int NONE = -1;

    /**
     * The maximum number of neighbours for which sets are compared: two more than in a torus, to bound the
     * recursion.
     */
    private static final int MAX_NEIGHBOURS = 8;

    /** {@code [index of a neighbour][index of another]}: true if the two close no square. */
    private final boolean[][] canFace;
    /** By index of a neighbour: its opposite in the current set, NONE without one. */
    private final int[] partner;

    /** By index of a neighbour: its opposite in all largest sets so far, NONE if the sets differ. */
    private int[] common = new int[0];

    /** Number of pairs of the largest sets so far. */
    private int largest = -1;

    private OppositeNeighbours(boolean[][] mayFace) {
        this.canFace = mayFace;
        partner = new int[mayFace.length];
        Arrays.fill(partner, NONE);
    }

    /**
     * Returns, by index of a neighbour in {@link TorusGraph#neighbours}, the index of the opposite neighbour; NONE
     * if no opposite is certain.
     */
    static int[] of(TorusGraph graph, int sw) {
        int[] neighbours = graph.neighbours(sw);
        int[] none = new int[neighbours.length];
        Arrays.fill(none, NONE);
        if (neighbours.length > MAX_NEIGHBOURS) {
            return none;
        }
        boolean[][] mayFace = new boolean[neighbours.length][neighbours.length];
        for (int i = 0; i < neighbours.length; i++) {
            for (int j = 0; j < i; j++) {
                mayFace[i][j] = !graph.isSquare(neighbours[i], sw, neighbours[j]);
                mayFace[j][i] = mayFace[i][j];
            }
        }
        OppositeNeighbours opposites = new OppositeNeighbours(mayFace);
        opposites.choose(0, 0);
        return opposites.common;
    }

    /**
     * Tries all sets of pairs among the neighbours from an index on.
     *
     * @param pairs number of pairs in the current set
     */
    private void choose(int from, int pairs) {
        int i = from;
        while (i < partner.length && partner[i] != NONE) {
            i++;
        }
        if (i == partner.length) {
            compare(pairs);
            return;
        }
        for (int j = i + 1; j < partner.length; j++) {
            if (canFace[i][j] && partner[j] == NONE) {
                partner[i] = j;
                partner[j] = i;
                choose(i + 1, pairs + 1);
                partner[i] = NONE;
                partner[j] = NONE;
            }
        }
        // Neighbour i has no opposite.
        choose(i + 1, pairs);
    }

    private void compare(int pairs) {
        if (pairs > largest) {
            largest = pairs;
            common = partner.clone();
        } else if (pairs == largest) {
            for (int i = 0; i < common.length; i++) {
                common[i] = common[i] == partner[i] ? common[i] : NONE;
            }
        }
    }
}
