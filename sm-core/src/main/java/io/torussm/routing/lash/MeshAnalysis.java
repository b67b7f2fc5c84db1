package io.torussm.routing.lash;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The search for a mesh or torus in a graph, so that links are searched in order of dimension, which takes
 * fewer lanes. It determines the shape around each switch and takes the most frequent one. Then it determines
 * the directions of links, from one switch over cables and corners, and then coordinates. Unknown links are
 * searched last. Routes remain shortest paths in any case.
 */
final class MeshAnalysis {
    /** No coordinate; farther than all others. */
    private static final int UNKNOWN = Integer.MAX_VALUE;

    /** A switch farther away is not the opposite neighbour. */
    private static final int FARTHEST_OPPOSITE = 4;

    /** Neighbours in two dimensions have another switch in common. */
    private static final int CORNER = 2;

    private final LashGraph graph;
    private final int[][] targets;
    private final int seed;
    private final int dimensions;

    /** By switch: the distances between its neighbours around it; empty if it has too many links. */
    private final int[][][] neighbours;

    /** By switch and link: 1 for +x, 2 for -x, 3 for +y and so on; 0 if it is not known. */
    private final int[][] axes;

    /** By switch and dimension. */
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

    /** Returns the graph with ids and links in order of dimension; as it is if it looks like no mesh and no torus. */
    static LashGraph ordered(LashGraph graph) {
        int size = graph.size();
        int[][][] neighbours = new int[size][0][];
        int[][] signatures = new int[size][0];
        int[] known = new int[size];
        NeighbourDistances distances = new NeighbourDistances(graph);
        for (int id = 0; id < size; id++) {
            if (graph.degree(id) > 0 && graph.degree(id) <= MeshShapes.MOST_LINKS) {
                neighbours[id] = distances.around(id);
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
     * Returns the first switch of the most frequent shape, apart from switches at the edge of a mesh; -1 if
     * there is none.
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
                int at = 0;
                while (at < classes && !Arrays.equals(signatures[exemplars[at]], signatures[id])) {
                    at++;
                }
                exemplars[at] = at == classes ? id : exemplars[at];
                classes = Math.max(classes, at + 1);
                counts[at]++;
            }
        }
        for (int at = 0; at < classes; at++) {
            best = best < 0 || counts[at] > counts[best] ? at : best;
        }
        return best < 0 ? -1 : exemplars[best];
    }

    private static int opposite(int axis) {
        return (axis - 1 ^ 1) + 1;
    }

    private void beginAtSeed() {
        int[] mine = axes[seed];
        for (int axis = 1; axis < 2 * dimensions; axis += 2) {
            int link = LashGraph.indexOf(mine, 0);
            if (link >= 0) {
                mine[link] = axis;
                for (int other = 0; other < mine.length; other++) {
                    if (mine[other] == 0 && neighbours[seed][link][other] != CORNER) {
                        mine[other] = axis + 1;
                        break;
                    }
                }
            }
        }
    }

    /**
     * Returns the opposite direction at a switch: the same in a dimension of two switches, 0 if it has no
     * such link.
     */
    private int across(int id, int axis) {
        int link = LashGraph.indexOf(axes[id], axis);
        return link < 0 || neighbours[id].length == 0 ? 0 : others(id, link) == 0 ? axis : opposite(axis);
    }

    /** Returns how many links are not at a corner with one. */
    private int others(int id, int link) {
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

    private void set(int id, int link, int axis) {
        if (axes[id][link] == 0 && axis != 0) {
            axes[id][link] = axis;
            isChanged = true;
        }
    }

    private void spreadAcross(int id) {
        for (int link = 0; link < neighbours[id].length; link++) {
            if (axes[id][link] != 0 && others(id, link) == 1) {
                for (int other = 0; other < neighbours[id].length; other++) {
                    int distance = neighbours[id][link][other];
                    if (other != link && distance != CORNER && distance <= FARTHEST_OPPOSITE) {
                        set(id, other, across(seed, axes[id][link]));
                    }
                }
            }
        }
    }

    private void spreadOverCables(int id) {
        for (int link = 0; link < neighbours[id].length; link++) {
            int next = targets[id][link];
            int back = LashGraph.indexOf(targets[next], id);
            if (axes[id][link] != 0 && back >= 0) {
                set(next, back, across(seed, axes[id][link]));
            }
        }
    }

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

    private void complete(int id, int link, int other) {
        int one = targets[id][link];
        int two = targets[id][other];
        for (int oneOn = 0; oneOn < targets[one].length; oneOn++) {
            int corner = targets[one][oneOn];
            int twoOn = corner == id ? -1 : LashGraph.indexOf(targets[two], corner);
            if (twoOn >= 0) {
                set(one, oneOn, axes[id][other]);
                set(two, twoOn, axes[id][link]);
                return;
            }
        }
    }

    private void place() {
        boolean isMoved;
        do {
            isMoved = false;
            for (int id = 0; id < axes.length; id++) {
                for (int link = 0; coordinates[id][0] != UNKNOWN && link < axes[id].length; link++) {
                    isMoved |= axes[id][link] != 0 && pull(id, link);
                }
            }
        } while (isMoved);
    }

    /** Places a neighbour nearer to the seed in each dimension; of two equally near places on the positive side. */
    private boolean pull(int id, int link) {
        int[] near = coordinates[targets[id][link]];
        int axis = axes[id][link];
        boolean isMoved = false;
        for (int k = 0; k < dimensions; k++) {
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

    /** Returns the dimensions, the largest first. */
    private int[] bySize() {
        int[] sizes = new int[dimensions];
        for (int k = 0; k < dimensions; k++) {
            int of = k;
            IntStream known =
                    Arrays.stream(coordinates).mapToInt(place -> place[of]).filter(place -> place != UNKNOWN);
            var range = known.summaryStatistics();
            sizes[k] = range.getMax() - range.getMin() + 1;
        }
        return IntStream.range(0, dimensions)
                .boxed()
                .sorted((a, b) -> Integer.compare(sizes[b], sizes[a]))
                .mapToInt(k -> k)
                .toArray();
    }

    private int[] links(int id, int[] order) {
        IntStream wanted = IntStream.empty();
        int[] mine = axes[id];
        for (int k : order) {
            for (int axis = 2 * k + 1; axis <= 2 * k + 2; axis++) {
                int sought = coordinates[id][k] > 0 ? across(id, axis) : axis;
                wanted =
                        IntStream.concat(wanted, IntStream.range(0, mine.length).filter(link -> mine[link] == sought));
            }
        }
        return IntStream.concat(wanted, IntStream.range(0, mine.length))
                .distinct()
                .toArray();
    }

    /**
     * Merges halves as OpenSM does. Differences of coordinates wrap, so where some are unknown the comparison is not
     * transitive, and the way of sorting decides.
     */
    private int[] sorted(int[] ids, int[] order) {
        if (ids.length < 2) {
            return ids;
        }
        int[] left = sorted(Arrays.copyOf(ids, ids.length / 2), order);
        int[] right = sorted(Arrays.copyOfRange(ids, ids.length / 2, ids.length), order);
        int[] all = new int[ids.length];
        for (int i = 0, j = 0; i + j < all.length; ) {
            boolean isLeft = j == right.length || (i < left.length && difference(left[i], right[j], order) <= 0);
            all[i + j] = isLeft ? left[i++] : right[j++];
        }
        return all;
    }

    private int difference(int one, int other, int[] order) {
        for (int k : order) {
            int difference = coordinates[one][k] - coordinates[other][k];
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }
}
