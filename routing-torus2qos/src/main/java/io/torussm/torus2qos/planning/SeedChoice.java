package io.torussm.torus2qos.planning;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The choice of seeds for a torus-2QoS.conf. Seeds have as few faults around them as possible, are far apart,
 * and share as few switches as possible.
 */
final class SeedChoice {
    /** Maximum number of seeds. */
    private static final int MAX_SEEDS = 4;

    private final Embedding embedding;
    private final TorusShape shape;

    SeedChoice(Embedding embedding) {
        this.embedding = embedding;
        shape = embedding.shape();
    }

    /**
     * Returns the positions of at most {@value #MAX_SEEDS} seed switches. All have the minimum number of faults around
     * them. The first is the switch with the lowest GUID.
     */
    List<Integer> positions() {
        List<Integer> candidates = new ArrayList<>();
        int minFaults = Integer.MAX_VALUE;
        for (int sw = 0; sw < embedding.graph().switchCount(); sw++) {
            int position = embedding.positionOf(sw);
            int faults = position < 0 ? Integer.MAX_VALUE : faults(position);
            if (faults < minFaults) {
                candidates.clear();
                minFaults = faults;
            }
            if (faults == minFaults && position >= 0) {
                candidates.add(position);
            }
        }
        List<Integer> chosen = new ArrayList<>(candidates.subList(0, 1));
        Set<Integer> used = new HashSet<>(ends(chosen.get(0)));
        while (chosen.size() < Math.min(MAX_SEEDS, candidates.size())) {
            int next = candidates.stream()
                    .filter(position -> !chosen.contains(position))
                    .min(Comparator.comparingLong((Integer position) -> ends(position).stream()
                                    .filter(used::contains)
                                    .count())
                            .thenComparing(position -> -distance(position, chosen)))
                    .orElseThrow();
            chosen.add(next);
            used.addAll(ends(next));
        }
        return chosen;
    }

    /** Returns the number of missing switches and cables around a position, up to one step in each dimension. */
    private int faults(int position) {
        int faults = 0;
        int[] center = shape.coordinates(position);
        // The 27 offsets of -1, 0 or 1 in three dimensions.
        for (int i = 0; i < 27; i++) {
            int[] corner = {center[0] + i % 3 - 1, center[1] + i / 3 % 3 - 1, center[2] + i / 9 - 1};
            if (isInside(corner)) {
                faults += faultsAt(shape.position(corner));
            }
        }
        return faults;
    }

    private boolean isInside(int[] coordinates) {
        boolean isInside = true;
        for (int d = 0; d < coordinates.length; d++) {
            isInside &= shape.wraps(d) || (coordinates[d] >= 0 && coordinates[d] < shape.radix(d));
        }
        return isInside;
    }

    private int faultsAt(int position) {
        int sw = embedding.switchAt(position);
        if (sw < 0) {
            return 1;
        }
        int faults = 0;
        for (int beside : shape.neighbours(position)) {
            int far = embedding.switchAt(beside);
            faults += far >= 0 && embedding.graph().areNeighbours(sw, far) ? 0 : 1;
        }
        return faults;
    }

    /** Returns the positions of the switches that a seed at a position names. */
    private Set<Integer> ends(int position) {
        Set<Integer> ends = new HashSet<>(Set.of(position));
        for (SeedLink link : links(position)) {
            ends.add(link.to());
        }
        return ends;
    }

    /**
     * A link of a seed to a neighbouring position.
     *
     * @param d dimension
     * @param sign 1 for plus, -1 for minus
     * @param to position one step away
     */
    record SeedLink(int d, int sign, int to) {}

    /**
     * Returns the links that a seed needs, to present switches: one for each dimension, but both in a ring of four,
     * as {@code SeedRules} require.
     */
    List<SeedLink> links(int position) {
        List<SeedLink> links = new ArrayList<>();
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            int plus = positionIfOccupied(shape.step(position, d, 1));
            int minus = positionIfOccupied(shape.step(position, d, -1));
            if (plus >= 0 && shape.radix(d) > 1) {
                links.add(new SeedLink(d, 1, plus));
            }
            if (minus >= 0 && shape.radix(d) > 1 && (plus < 0 || (shape.wraps(d) && shape.radix(d) == 4))) {
                links.add(new SeedLink(d, -1, minus));
            }
        }
        return links;
    }

    /** Returns the position if it has a switch, otherwise -1. */
    private int positionIfOccupied(int position) {
        return position >= 0 && embedding.switchAt(position) >= 0 ? position : -1;
    }

    private int distance(int position, List<Integer> from) {
        return from.stream().mapToInt(other -> distance(position, other)).min().orElse(0);
    }

    private int distance(int a, int b) {
        int distance = 0;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            int steps = Math.abs(shape.coordinate(a, d) - shape.coordinate(b, d));
            distance += shape.wraps(d) ? Math.min(steps, shape.radix(d) - steps) : steps;
        }
        return distance;
    }
}
