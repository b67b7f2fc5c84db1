package io.torussm.torus2qos.planning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The positions of switches in a torus, derived from the cables. The positions of a few switches are known. Then
 * switch by switch is placed where most of its cables fit, the clearest case first.
 */
final class Embedding {
    private static final int NONE = -1;

    private final TorusGraph graph;
    private final TorusShape shape;
    /** By position: the switch, -1 if the position is empty. */
    private final int[] switchAt;
    /** By switch: the position, -1 if the switch is not placed. */
    private final int[] positionOf;

    /**
     * A switch that may be placed at a position.
     *
     * @param score number of cables that fit minus number of cables that do not
     * @param lead score minus the score of the next best switch for the position
     */
    private record Candidate(int position, int sw, int score, int lead) {
        private static final Comparator<Candidate> BEST_FIRST = Comparator.comparingInt(Candidate::lead)
                .reversed()
                .thenComparing(Comparator.comparingInt(Candidate::score).reversed())
                .thenComparingInt(Candidate::position);
    }

    /** Two neighbouring switches without a cable, in order of their positions. */
    record Gap(int a, int b) {}

    private Embedding(TorusGraph graph, TorusShape shape) {
        this.graph = graph;
        this.shape = shape;
        switchAt = new int[shape.positions()];
        positionOf = new int[graph.switchCount()];
        Arrays.fill(switchAt, NONE);
        Arrays.fill(positionOf, NONE);
    }

    /**
     * Creates an embedding: places the known switches, then others around them.
     *
     * @param known switch by position, -1 where unknown; the second position of a switch is ignored
     */
    static Embedding growFrom(TorusGraph graph, TorusShape shape, int[] known) {
        Embedding embedding = new Embedding(graph, shape);
        for (int position = 0; position < known.length; position++) {
            if (known[position] != NONE && embedding.positionOf[known[position]] == NONE) {
                embedding.put(position, known[position]);
            }
        }
        // Two cables are better evidence than one: switches with a single cable are placed after all others.
        embedding.grow(2);
        embedding.grow(1);
        return embedding;
    }

    private void put(int position, int sw) {
        switchAt[position] = sw;
        positionOf[sw] = position;
    }

    private void grow(int leastScore) {
        PriorityQueue<Candidate> waiting = new PriorityQueue<>(Candidate.BEST_FIRST);
        for (int position = 0; position < switchAt.length; position++) {
            offer(position, leastScore, waiting);
        }
        for (Candidate best = waiting.poll(); best != null; best = waiting.poll()) {
            if (switchAt[best.position] != NONE) {
                continue;
            }
            // Switches that were placed meanwhile changed the score, so the candidate is queued again.
            if (!best.equals(candidate(best.position))) {
                offer(best.position, leastScore, waiting);
                continue;
            }
            put(best.position, best.sw);
            for (int beside : shape.neighbours(best.position)) {
                offer(beside, leastScore, waiting);
            }
        }
    }

    private void offer(int position, int leastScore, PriorityQueue<Candidate> waiting) {
        Candidate candidate = switchAt[position] == NONE ? candidate(position) : null;
        if (candidate != null && candidate.score >= leastScore && candidate.lead > 0) {
            waiting.add(candidate);
        }
    }

    private @Nullable Candidate candidate(int position) {
        int best = NONE;
        int bestScore = 0;
        int second = 0;
        for (int beside : shape.neighbours(position)) {
            for (int sw : switchAt[beside] == NONE ? new int[0] : graph.neighbours(switchAt[beside])) {
                if (positionOf[sw] != NONE || sw == best) {
                    continue;
                }
                int score = score(sw, position);
                if (score > bestScore) {
                    second = bestScore;
                    best = sw;
                    bestScore = score;
                } else {
                    second = Math.max(second, score);
                }
            }
        }
        return best == NONE ? null : new Candidate(position, best, bestScore, bestScore - second);
    }

    /**
     * Returns the number of placed neighbours that fit a position minus the number of placed neighbours that do not
     * fit.
     */
    private int score(int sw, int position) {
        int score = 0;
        for (int neighbour : graph.neighbours(sw)) {
            if (positionOf[neighbour] != NONE) {
                score += shape.areNeighbours(position, positionOf[neighbour]) ? 1 : -1;
            }
        }
        return score;
    }

    /**
     * Returns a copy with other coordinates for the same switches.
     *
     * @param order previous index of each dimension
     * @param flipped true if the direction is reversed, by previous index of the dimension
     * @param origin switch that gets coordinate 0 in all dimensions that wrap
     */
    Embedding oriented(int[] order, boolean[] flipped, int origin) {
        int[] radix = new int[TorusShape.DIMENSIONS];
        boolean[] mesh = new boolean[TorusShape.DIMENSIONS];
        for (int d = 0; d < radix.length; d++) {
            radix[d] = shape.radix(order[d]);
            mesh[d] = !shape.wraps(order[d]);
        }
        Embedding oriented = new Embedding(graph, new TorusShape(radix, mesh));
        for (int position = 0; position < switchAt.length; position++) {
            if (switchAt[position] != NONE) {
                int[] coordinates = new int[TorusShape.DIMENSIONS];
                for (int d = 0; d < coordinates.length; d++) {
                    int previous = order[d];
                    int zero = shape.wraps(previous)
                            ? shape.coordinate(positionOf[origin], previous)
                            : flipped[previous] ? radix[d] - 1 : 0;
                    int steps = shape.coordinate(position, previous) - zero;
                    coordinates[d] = flipped[previous] ? -steps : steps;
                }
                oriented.put(oriented.shape.position(coordinates), switchAt[position]);
            }
        }
        return oriented;
    }

    TorusShape shape() {
        return shape;
    }

    TorusGraph graph() {
        return graph;
    }

    /** Returns the switch at a position, -1 if the position is empty. */
    int switchAt(int position) {
        return switchAt[position];
    }

    /** Returns the position of a switch, -1 if the switch is not placed. */
    int positionOf(int sw) {
        return positionOf[sw];
    }

    int placedCount() {
        return (int) Arrays.stream(switchAt).filter(sw -> sw != NONE).count();
    }

    /** Checks whether a cable between two switches joins neighbours of the torus. */
    boolean joinsNeighbours(int a, int b) {
        return positionOf[a] != NONE && positionOf[b] != NONE && shape.areNeighbours(positionOf[a], positionOf[b]);
    }

    /** Returns the pairs of switches at neighbouring positions without a cable between them. */
    List<Gap> gaps() {
        List<Gap> gaps = new ArrayList<>();
        for (int position = 0; position < switchAt.length; position++) {
            if (switchAt[position] == NONE) {
                continue;
            }
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int next = shape.step(position, d, 1);
                if (next >= 0 && switchAt[next] != NONE && !graph.areNeighbours(switchAt[position], switchAt[next])) {
                    gaps.add(new Gap(switchAt[position], switchAt[next]));
                }
            }
        }
        return gaps;
    }

    /** Returns the number of pairs of switches that have a cable although they are no neighbours in the torus. */
    int strays() {
        int ends = 0;
        for (int sw = 0; sw < positionOf.length; sw++) {
            for (int neighbour : graph.neighbours(sw)) {
                ends += joinsNeighbours(sw, neighbour) ? 0 : 1;
            }
        }
        return ends / 2;
    }

    /**
     * Returns the number of faults, with weights; 0 for a torus without a fault. A cable in the wrong place is
     * worse than one that is missing.
     */
    int cost() {
        return 2 * strays() + gaps().size() + shape.positions() - placedCount();
    }
}
