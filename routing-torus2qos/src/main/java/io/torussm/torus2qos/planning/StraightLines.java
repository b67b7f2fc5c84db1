package io.torussm.torus2qos.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The straight lines through each switch. A line continues from a neighbour through the switch to the opposite
 * neighbour ({@link OppositeNeighbours}), and ends where the opposite neighbour is uncertain.
 */
final class StraightLines {
    private static final int NONE = OppositeNeighbours.NONE;

    /** Maximum length of a line. No ring of a torus has so many switches, so longer lines are truncated. */
    private static final int MAX_LENGTH = 1024;

    private final TorusGraph graph;

    /** {@code [switch][index of a neighbour]}: index of the opposite neighbour, NONE if it is uncertain. */
    private final int[][] opposite;

    /**
     * A line through a switch.
     *
     * @param isRing true if the line returns to the switch
     * @param plus the switches in one direction, in order; for a ring all other switches
     * @param minus the switches in the other direction; for a ring none
     */
    record Line(boolean isRing, int[] plus, int[] minus) {
        /** Returns the number of switches on the line. */
        int length() {
            return 1 + plus.length + minus.length;
        }

        /**
         * Checks whether the line is a single cable. Then it is a dimension of two switches, or part of a ring of four.
         */
        boolean isSingle() {
            return !isRing && length() == 2;
        }
    }

    StraightLines(TorusGraph graph) {
        this.graph = graph;
        opposite = new int[graph.switchCount()][];
        for (int sw = 0; sw < opposite.length; sw++) {
            opposite[sw] = OppositeNeighbours.of(graph, sw);
        }
    }

    /** Returns the lines through a switch: rings first, then by length, the longest first. */
    List<Line> linesThrough(int sw) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < opposite[sw].length; i++) {
            int back = opposite[sw][i];
            if (back > i) {
                continue;
            }
            int[] plus = follow(sw, i);
            if (plus.length > 0 && plus[plus.length - 1] == sw) {
                lines.add(new Line(true, Arrays.copyOf(plus, plus.length - 1), new int[0]));
            } else {
                lines.add(new Line(false, plus, back == NONE ? new int[0] : follow(sw, back)));
            }
        }
        lines.sort((a, b) -> a.isRing() != b.isRing() ? (a.isRing() ? -1 : 1) : b.length() - a.length());
        return lines;
    }

    /**
     * Returns the switches of a line after {@code start}, in order. If the line returns to {@code start}, this
     * switch is the last.
     *
     * @param neighbour index of the neighbour that is the first switch
     */
    private int[] follow(int start, int neighbour) {
        int[] line = new int[Math.min(MAX_LENGTH, graph.switchCount())];
        int length = 0;
        int previous = start;
        int current = graph.neighbours(start)[neighbour];
        while (length < line.length) {
            line[length++] = current;
            int back = Arrays.binarySearch(graph.neighbours(current), previous);
            int nextIndex = current == start ? NONE : opposite[current][back];
            if (nextIndex == NONE) {
                break;
            }
            previous = current;
            current = graph.neighbours(current)[nextIndex];
        }
        return Arrays.copyOf(line, length);
    }
}
