package io.torussm.torus2qos.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The lines of switches that go straight through each switch, as far as they can be followed without doubt. */
final class StraightLines {
    private static final int NONE = OppositeNeighbours.NONE;

    /** Longer lines are cut: no ring of a torus has so many switches. */
    private static final int MAX_LENGTH = 1024;

    private final TorusGraph graph;

    /** By switch and index of a neighbour: the index of the neighbour opposite, NONE if that is not certain. */
    private final int[][] opposite;

    /**
     * A line through a switch.
     *
     * @param isRing true if it returns to the switch
     * @param plus the switches in one direction, in order; for a ring all other switches
     * @param minus the switches in the other direction; for a ring none
     */
    record Line(boolean isRing, int[] plus, int[] minus) {
        /** Returns the number of switches on the line. */
        int length() {
            return 1 + plus.length + minus.length;
        }

        /** Checks whether the line is a single cable: two switches, or part of a ring of four. */
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

    /** Returns the lines through a switch: rings first, then the longer before the shorter. */
    List<Line> through(int sw) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < opposite[sw].length; i++) {
            int back = opposite[sw][i];
            if (back > i) {
                continue;
            }
            int[] plus = walk(sw, i);
            if (plus.length > 0 && plus[plus.length - 1] == sw) {
                lines.add(new Line(true, Arrays.copyOf(plus, plus.length - 1), new int[0]));
            } else {
                lines.add(new Line(false, plus, back == NONE ? new int[0] : walk(sw, back)));
            }
        }
        lines.sort((a, b) -> a.isRing() != b.isRing() ? (a.isRing() ? -1 : 1) : b.length() - a.length());
        return lines;
    }

    /** Walks straight on from a switch; ends with that switch if the line comes back to it. */
    private int[] walk(int start, int neighbour) {
        int[] line = new int[Math.min(MAX_LENGTH, graph.switchCount())];
        int length = 0;
        int before = start;
        int here = graph.neighbours(start)[neighbour];
        while (length < line.length) {
            line[length++] = here;
            int back = Arrays.binarySearch(graph.neighbours(here), before);
            int on = here == start ? NONE : opposite[here][back];
            if (on == NONE) {
                break;
            }
            before = here;
            here = graph.neighbours(here)[on];
        }
        return Arrays.copyOf(line, length);
    }
}
