package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.planning.StraightLines.Line;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The search for the torus in a graph of switches. The package has the idea. */
final class TorusRecognition {
    /** Maximum number of shapes that are tried. Shapes that the lines of most switches suggest come first. */
    private static final int MAX_SHAPES = 12;

    /** Maximum number of switches from which a shape is tried. */
    private static final int MAX_SEEDS = 6;

    /** Number of different lengths of rings that are combined to shapes. */
    private static final int MAX_RING_LENGTHS = 3;

    private final TorusGraph graph;
    /** The switches with the same kinds and lengths of lines, by {@link #signature}. */
    private final Map<String, List<Integer>> seedsByLines = new LinkedHashMap<>();

    private final StraightLines lines;

    TorusRecognition(TorusGraph graph) {
        this.graph = graph;
        lines = new StraightLines(graph);
        for (int sw = 0; sw < graph.switchCount(); sw++) {
            seedsByLines
                    .computeIfAbsent(signature(lines.linesThrough(sw)), key -> new ArrayList<>())
                    .add(sw);
        }
    }

    private static String signature(List<Line> lines) {
        return lines.stream()
                .map(line -> (line.isRing() ? "ring " : "line ") + line.length())
                .collect(Collectors.joining(", "));
    }

    /**
     * Returns the torus of any shape with the lowest cost ({@link Embedding#cost}); empty if no switch has lines of
     * a torus.
     */
    Optional<Embedding> best() {
        Optional<Embedding> wholeTorus = best(shapesOfSwitches());
        if (wholeTorus.isPresent() && wholeTorus.get().cost() == 0) {
            return wholeTorus;
        }
        // If hardly any switch has complete rings in all dimensions, shapes are combined from single complete
        // rings.
        return Stream.concat(wholeTorus.stream(), best(shapesOfRings()).stream())
                .min(Comparator.comparingInt(Embedding::cost));
    }

    private Optional<Embedding> best(Collection<TorusShape> shapes) {
        return shapes.stream()
                .limit(MAX_SHAPES)
                .flatMap(shape -> best(shape).stream())
                .min(Comparator.comparingInt(Embedding::cost));
    }

    private Collection<TorusShape> shapesOfSwitches() {
        boolean isRegular = isRegular();
        Map<String, TorusShape> shapes = new LinkedHashMap<>();
        for (List<Integer> seeds : byFrequency()) {
            frame(seeds.get(0)).shape(isRegular).ifPresent(shape -> shapes.putIfAbsent(shape.confLine(), shape));
        }
        return shapes.values();
    }

    /** Returns the tori of two or three dimensions whose sizes are among the most frequent lengths of rings. */
    private List<TorusShape> shapesOfRings() {
        Map<Integer, Integer> count = new HashMap<>();
        for (List<Integer> seeds : seedsByLines.values()) {
            lines.linesThrough(seeds.get(0)).stream()
                    .filter(Line::isRing)
                    .forEach(ring -> count.merge(ring.length(), seeds.size(), Integer::sum));
        }
        List<Integer> lengths = new ArrayList<>(count.keySet());
        lengths.sort(Comparator.comparingInt((Integer length) -> -count.getOrDefault(length, 0)));
        List<TorusShape> shapes = new ArrayList<>();
        int max = Math.min(MAX_RING_LENGTHS, lengths.size());
        for (int i = 0; i < max; i++) {
            for (int j = 0; j <= i; j++) {
                shapes.add(torus(lengths.get(i), lengths.get(j), 1));
                for (int k = 0; k <= j; k++) {
                    shapes.add(torus(lengths.get(i), lengths.get(j), lengths.get(k)));
                }
            }
        }
        shapes.removeIf(shape -> shape.positions() > 2 * graph.switchCount());
        return shapes;
    }

    private static TorusShape torus(int... radix) {
        return new TorusShape(radix, new boolean[radix.length]);
    }

    /** Returns the torus of a given shape with the lowest cost; empty if no switch has lines that fit the shape. */
    Optional<Embedding> best(TorusShape shape) {
        List<Embedding> candidates = embeddings(shape, true);
        return (candidates.isEmpty() ? embeddings(shape, false) : candidates)
                .stream().min(Comparator.comparingInt(Embedding::cost));
    }

    private List<Embedding> embeddings(TorusShape shape, boolean isWhole) {
        List<Embedding> candidates = new ArrayList<>();
        for (List<Integer> seeds : byFrequency()) {
            int step = Math.max(1, seeds.size() / MAX_SEEDS);
            for (int i = 0; i < seeds.size() && candidates.size() < MAX_SEEDS; i += step) {
                Optional<Embedding> embedding = frame(seeds.get(i)).embedding(shape, isWhole);
                embedding.ifPresent(candidates::add);
                if (embedding.isEmpty() || embedding.get().cost() == 0) {
                    break;
                }
            }
        }
        return candidates;
    }

    private List<List<Integer>> byFrequency() {
        return seedsByLines.values().stream()
                .sorted(Comparator.comparingInt((List<Integer> seeds) -> -seeds.size()))
                .toList();
    }

    private Frame frame(int seed) {
        return new Frame(graph, seed, lines.linesThrough(seed));
    }

    /**
     * Checks whether port numbers correspond to directions: cables join at most as many different pairs of port
     * numbers as a torus with parallel cables has.
     */
    private boolean isRegular() {
        Fabric fabric = graph.fabric();
        Set<Integer> pairs = new HashSet<>();
        // The maximum number of parallel cables between two switches.
        int[] maxParallel = {1};
        for (int sw = 0; sw < graph.switchCount(); sw++) {
            graph.cables(sw).forEach(port -> {
                int near = fabric.portNum(port);
                int far = fabric.portNum(fabric.peer(port));
                pairs.add(Math.min(near, far) << 8 | Math.max(near, far));
            });
            for (int neighbour : graph.neighbours(sw)) {
                maxParallel[0] = Math.max(maxParallel[0], graph.ports(sw, neighbour).length);
            }
        }
        return pairs.size() <= TorusShape.DIMENSIONS * maxParallel[0];
    }
}
