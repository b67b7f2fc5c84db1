package io.torussm.routing.lash;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The search for a mesh or torus in a graph, as in OpenSM. If links are searched in order of dimension, routes
 * need fewer lanes. The search first determines the shape around each switch, and selects the most frequent
 * shape. Then it finds the directions of links, from one switch over cables and corners, and then coordinates.
 * Links without a direction are searched last. Routes stay shortest paths in any case.
 */
final class MeshAnalysis {
    /** The coordinate of a switch that is not placed, larger than any other. */
    private static final int UNKNOWN = Integer.MAX_VALUE;

    /** The maximum distance between two opposite neighbours, on ways around the switch. */
    private static final int FARTHEST_OPPOSITE = 4;

    /**
     * The distance between two neighbours in different dimensions, on a way around the switch over the fourth
     * corner.
     */
    private static final int CORNER = 2;

    private final LashGraph graph;
    private final int[][] targets;
    /** The id of the switch from which the analysis begins. */
    private final int seed;

    private final int dimensions;

    /**
     * Distances {@code [id][link][link]} between neighbours on ways around the switch; without rows if the switch
     * has too many links.
     */
    private final int[][][] neighbours;

    /** Directions {@code [id][link]}, here called axes: 1 for +x, 2 for -x, 3 for +y and so on; 0 if unknown. */
    private final int[][] axes;

    /** Coordinates {@code [id][dimension]}, relative to the seed, or {@link #UNKNOWN}. */
    private final int[][] coordinates;

    private boolean isChanged;

    private MeshAnalysis(LashGraph graph, int[][][] neighbours, int seed, int dimensions) {
        this.graph = graph;
        this.targets = graph.targets();
        this.neighbours = neighbours;
        this.seed = seed;
        this.dimensions = dimensions;
        axes = new int[graph.size()][];
        coordinates = new int[graph.size()][dimensions];
        for (int id = 0; id < axes.length; id++) {
            axes[id] = new int[graph.degree(id)];
            Arrays.fill(coordinates[id], id == seed ? 0 : UNKNOWN);
        }
    }

    /**
     * Returns the graph with ids and links in order of dimension; the graph itself if it is similar to no mesh or
     * torus.
     */
    static LashGraph ordered(LashGraph graph) {
        int size = graph.size();
        int[][][] neighbours = new int[size][0][];
        int[][] signatures = new int[size][0];
        int[] known = new int[size];
        NeighbourDistances distances = new NeighbourDistances(graph);
        for (int id = 0; id < size; id++) {
            if (graph.degree(id) > 0 && graph.degree(id) <= MeshShapes.MAX_LINKS) {
                neighbours[id] = distances.between(id);
                signatures[id] = MeshShapes.signature(neighbours[id]);
                known[id] = MeshShapes.dimensions(signatures[id]);
            }
        }
        int seed = mostFrequent(graph, signatures, known);
        if (seed < 0 || known[seed] == 0) {
            return graph;
        }
        MeshAnalysis analysis = new MeshAnalysis(graph, neighbours, seed, known[seed]);
        analysis.beginAtSeed();
        analysis.spread();
        analysis.place();
        return analysis.ordered();
    }

    /**
     * Returns the first switch of the most frequent shape. Switches at the edge of a mesh are ignored.
     *
     * @param known number of dimensions of the shape by id, 0 for an unknown shape
     * @return id; -1 if every switch is at an edge or has too many links
     */
    private static int mostFrequent(LashGraph graph, int[][] signatures, int[] known) {
        int[] exemplars = new int[signatures.length];
        int[] counts = new int[signatures.length];
        int classes = 0;
        int best = -1;
        for (int id = 0; id < signatures.length; id++) {
            int degree = graph.degree(id);
            boolean isAtEdge =
                    known[id] > 0 && IntStream.of(graph.targets()[id]).anyMatch(next -> graph.degree(next) > degree);
            if (signatures[id].length > 0 && !isAtEdge) {
                int i = 0;
                while (i < classes && !Arrays.equals(signatures[exemplars[i]], signatures[id])) {
                    i++;
                }
                exemplars[i] = i == classes ? id : exemplars[i];
                classes = Math.max(classes, i + 1);
                counts[i]++;
            }
        }
        for (int i = 0; i < classes; i++) {
            best = best < 0 || counts[i] > counts[best] ? i : best;
        }
        return best < 0 ? -1 : exemplars[best];
    }

    /** Returns the opposite direction: 1 for 2, 2 for 1, 3 for 4 and so on. */
    private static int opposite(int axis) {
        return (axis - 1 ^ 1) + 1;
    }

    /**
     * Assigns directions to the links of the seed: two links that are no corner are the two directions of a
     * dimension.
     */
    private void beginAtSeed() {
        int[] seedAxes = axes[seed];
        for (int axis = 1; axis < 2 * dimensions; axis += 2) {
            int link = LashGraph.indexOf(seedAxes, 0);
            if (link >= 0) {
                seedAxes[link] = axis;
                for (int other = 0; other < seedAxes.length; other++) {
                    if (seedAxes[other] == 0 && neighbours[seed][link][other] != CORNER) {
                        seedAxes[other] = axis + 1;
                        break;
                    }
                }
            }
        }
    }

    /**
     * Returns the opposite of a direction at a switch; in a dimension of two switches the direction itself; 0 if the
     * switch has no link in this direction.
     */
    private int oppositeOf(int id, int axis) {
        int link = LashGraph.indexOf(axes[id], axis);
        return link < 0 || neighbours[id].length == 0 ? 0 : countNonCorners(id, link) == 0 ? axis : opposite(axis);
    }

    /** Returns the number of links that make no corner with a link. */
    private int countNonCorners(int id, int link) {
        int count = 0;
        for (int other = 0; other < axes[id].length; other++) {
            count += other != link && neighbours[id][link][other] != CORNER ? 1 : 0;
        }
        return count;
    }

    private void spread() {
        do {
            isChanged = false;
            for (int id = 0; id < axes.length; id++) {
                if (axes[id].length >= axes[seed].length || axes[id].length > 2) {
                    spreadAcross(id);
                }
            }
            for (int id = 0; id < axes.length; id++) {
                spreadOverCables(id);
            }
            for (int id = 0; id < axes.length; id++) {
                spreadOverCorners(id);
            }
        } while (isChanged);
    }

    private void setDirection(int id, int link, int axis) {
        if (axes[id][link] == 0 && axis != 0) {
            axes[id][link] = axis;
            isChanged = true;
        }
    }

    /** Derives the direction of a link from the only link that makes no corner with it. */
    private void spreadAcross(int id) {
        for (int link = 0; link < neighbours[id].length; link++) {
            if (axes[id][link] != 0 && countNonCorners(id, link) == 1) {
                for (int other = 0; other < neighbours[id].length; other++) {
                    int distance = neighbours[id][link][other];
                    if (other != link && distance != CORNER && distance <= FARTHEST_OPPOSITE) {
                        setDirection(id, other, oppositeOf(seed, axes[id][link]));
                    }
                }
            }
        }
    }

    /** Derives the direction of a link from the other direction of the same cable. */
    private void spreadOverCables(int id) {
        for (int link = 0; link < neighbours[id].length; link++) {
            int next = targets[id][link];
            int back = LashGraph.indexOf(targets[next], id);
            if (axes[id][link] != 0 && back >= 0) {
                setDirection(next, back, oppositeOf(seed, axes[id][link]));
            }
        }
    }

    /** Derives the directions of the two links to the fourth corner of a square from the two other links. */
    private void spreadOverCorners(int id) {
        for (int link = 0; link < neighbours[id].length; link++) {
            for (int other = 0; other < neighbours[id].length; other++) {
                boolean isKnown = axes[id][link] != 0 && axes[id][other] != 0;
                if (other != link && isKnown && neighbours[id][link][other] == CORNER) {
                    complete(id, link, other);
                }
            }
        }
    }

    /** Sets the directions of the links from two neighbours to the switch that both have in common. */
    private void complete(int id, int link, int other) {
        int first = targets[id][link];
        int second = targets[id][other];
        for (int firstLink = 0; firstLink < targets[first].length; firstLink++) {
            int corner = targets[first][firstLink];
            int secondLink = corner == id ? -1 : LashGraph.indexOf(targets[second], corner);
            if (secondLink >= 0) {
                setDirection(first, firstLink, axes[id][other]);
                setDirection(second, secondLink, axes[id][link]);
                return;
            }
        }
    }

    /** Computes coordinates over links with known directions. */
    private void place() {
        boolean isMoved;
        do {
            isMoved = false;
            for (int id = 0; id < axes.length; id++) {
                for (int link = 0; coordinates[id][0] != UNKNOWN && link < axes[id].length; link++) {
                    isMoved |= axes[id][link] != 0 && moveTowardsSeed(id, link);
                }
            }
        } while (isMoved);
    }

    /**
     * Moves a neighbour nearer to the seed in each dimension if the coordinates of a switch allow it; of two equally
     * near coordinates, to the positive one. Returns true if a coordinate changed.
     */
    private boolean moveTowardsSeed(int id, int link) {
        int[] near = coordinates[targets[id][link]];
        int axis = axes[id][link];
        boolean isMoved = false;
        for (int k = 0; k < dimensions; k++) {
            // Odd axes lead in + direction.
            int step = (axis - 1) / 2 == k ? (axis & 1) == 1 ? 1 : -1 : 0;
            int place = coordinates[id][k] + step;
            int distance = Math.abs(place);
            if (distance < Math.abs(near[k]) || (distance == Math.abs(near[k]) && place > near[k])) {
                near[k] = place;
                isMoved = true;
            }
        }
        return isMoved;
    }

    private LashGraph ordered() {
        int[] order = bySize();
        int[][] links = new int[axes.length][];
        Arrays.setAll(links, id -> links(id, order));
        int[] ids = IntStream.range(0, axes.length).toArray();
        return graph.reordered(sorted(ids, order), links);
    }

    /** Returns the dimensions by number of coordinates, the largest first. */
    private int[] bySize() {
        int[] sizes = new int[dimensions];
        for (int k = 0; k < dimensions; k++) {
            int d = k;
            IntStream placed =
                    Arrays.stream(coordinates).mapToInt(place -> place[d]).filter(place -> place != UNKNOWN);
            var range = placed.summaryStatistics();
            sizes[k] = range.getMax() - range.getMin() + 1;
        }
        return IntStream.range(0, dimensions)
                .boxed()
                .sorted((a, b) -> Integer.compare(sizes[b], sizes[a]))
                .mapToInt(k -> k)
                .toArray();
    }

    /**
     * Returns the links of a switch in the order of the search: by dimension, towards the seed first, then links
     * without a direction.
     */
    private int[] links(int id, int[] order) {
        IntStream inOrder = IntStream.empty();
        int[] ownAxes = axes[id];
        for (int k : order) {
            for (int axis = 2 * k + 1; axis <= 2 * k + 2; axis++) {
                int sought = coordinates[id][k] > 0 ? oppositeOf(id, axis) : axis;
                inOrder = IntStream.concat(
                        inOrder, IntStream.range(0, ownAxes.length).filter(link -> ownAxes[link] == sought));
            }
        }
        return IntStream.concat(inOrder, IntStream.range(0, ownAxes.length))
                .distinct()
                .toArray();
    }

    /**
     * Sorts ids by coordinates, by a merge sort as in OpenSM. Differences with unknown coordinates overflow, so the
     * comparison is not transitive, and the result depends on the algorithm.
     */
    private int[] sorted(int[] ids, int[] order) {
        if (ids.length < 2) {
            return ids;
        }
        int[] left = sorted(Arrays.copyOf(ids, ids.length / 2), order);
        int[] right = sorted(Arrays.copyOfRange(ids, ids.length / 2, ids.length), order);
        int[] merged = new int[ids.length];
        for (int i = 0, j = 0; i + j < merged.length; ) {
            boolean isLeft = j == right.length || (i < left.length && difference(left[i], right[j], order) <= 0);
            merged[i + j] = isLeft ? left[i++] : right[j++];
        }
        return merged;
    }

    private int difference(int idA, int idB, int[] order) {
        for (int k : order) {
            int difference = coordinates[idA][k] - coordinates[idB][k];
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }
}
