package io.torussm.torus2qos.planning;

import java.util.Arrays;

/**
 * The pairs of neighbours of a switch that are opposite each other. Two neighbours that close no square are
 * opposite, or a cable of their square is missing. If several choices are possible, the largest sets of pairs
 * are compared, and only pairs that occur in all of them count.
 */
final class OppositeNeighbours {
    static final int NONE = -1;

    /** The most neighbours for which choices are looked at: two more than in a torus. */
    private static final int MAX_NEIGHBOURS = 8;

    private final boolean[][] mayFace;
    private final int[] partner;

    /** The pairs that all of the largest choices so far share; NONE for neighbours whose opposites differ. */
    private int[] common = new int[0];

    private int largest = -1;

    private OppositeNeighbours(boolean[][] mayFace) {
        this.mayFace = mayFace;
        partner = new int[mayFace.length];
        Arrays.fill(partner, NONE);
    }

    /** Returns, by index of a neighbour, the index of the opposite one; NONE if there is none or it is not certain. */
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
            if (mayFace[i][j] && partner[j] == NONE) {
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
