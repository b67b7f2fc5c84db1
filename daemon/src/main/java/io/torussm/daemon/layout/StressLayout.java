package io.torussm.daemon.layout;

import io.torussm.daemon.layout.PictureLayout.Place;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The layout of a graph on a plane, in which the distances of vertices are close to their numbers of hops. */
final class StressLayout {
    /** Max number of pivots: the vertices whose distances to all other vertices are used. */
    private static final int MAX_PIVOTS = 160;

    private static final int PROJECTION_ROUNDS = 40;
    private static final int ROUNDS = 80;

    /**
     * Max displacement, which separates vertices that would be at one point, such as switches with the same neighbours.
     */
    private static final double JITTER = 0.05;

    private final CableGraph graph;
    private final int[] pivots;

    /** Number of hops by pivot and vertex. */
    private final int[][] hops;

    private final double[] x;
    private final double[] y;

    private StressLayout(CableGraph graph) {
        this.graph = graph;
        int size = graph.size();
        pivots = new int[Math.min(size, MAX_PIVOTS)];
        hops = new int[pivots.length][];
        x = new double[size];
        y = new double[size];
        choosePivots();
    }

    /**
     * Computes the places of all vertices.
     *
     * @param kept fixed place by vertex; null for a vertex without a fixed place
     * @return place by vertex
     */
    static Place[] of(CableGraph graph, @Nullable Place[] kept) {
        StressLayout stress = new StressLayout(graph);
        if (Arrays.stream(kept).allMatch(place -> place == null)) {
            stress.project();
        } else {
            stress.initialize(kept);
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int v = 0; v < kept.length; v++) {
                if (kept[v] == null) {
                    stress.relax(v);
                }
            }
        }
        Place[] places = new Place[kept.length];
        Arrays.setAll(places, v -> new Place(stress.x[v], stress.y[v]));
        return places;
    }

    /** Chooses the pivots. Each pivot is the vertex that is farthest from the previous pivots. */
    private void choosePivots() {
        int[] nearest = new int[graph.size()];
        Arrays.fill(nearest, CableGraph.UNREACHABLE);
        int farthest = 0;
        for (int i = 0; i < pivots.length; i++) {
            int pivot = farthest;
            pivots[i] = pivot;
            hops[i] = bounded(graph.hops(v -> v == pivot));
            for (int v = 0; v < nearest.length; v++) {
                nearest[v] = Math.min(nearest[v], hops[i][v]);
                farthest = nearest[v] > nearest[farthest] ? v : farthest;
            }
        }
    }

    /** Replaces the distance of unreachable vertices by a distance slightly above that of all reachable vertices. */
    private static int[] bounded(int[] hops) {
        int max = Arrays.stream(hops)
                .filter(each -> each != CableGraph.UNREACHABLE)
                .max()
                .orElse(0);
        return Arrays.stream(hops).map(each -> Math.min(each, max + 2)).toArray();
    }

    /** Sets the initial positions. A new vertex starts at the mean position of its neighbours. */
    private void initialize(@Nullable Place[] kept) {
        for (int v = 0; v < kept.length; v++) {
            Place known = kept[v];
            Place place = known == null ? mean(v, kept) : known;
            x[v] = place.x() + (known == null ? jitter(v) : 0);
            y[v] = place.y() + (known == null ? jitter(-v) : 0);
        }
    }

    private Place mean(int v, @Nullable Place[] kept) {
        double sumX = 0;
        double sumY = 0;
        int count = 0;
        for (int next : graph.neighbours(v)) {
            Place place = kept[next];
            if (place != null) {
                sumX += place.x();
                sumY += place.y();
                count++;
            }
        }
        return new Place(sumX / Math.max(1, count), sumY / Math.max(1, count));
    }

    private static double jitter(int v) {
        // Multiplicative hash by Knuth: deterministic, and without a visible pattern.
        return JITTER * (v * 0x9E3779B1) / Integer.MAX_VALUE;
    }

    /** Computes initial positions: the two main axes of the doubly centred squares of the distances to the pivots. */
    private void project() {
        double[][] centred = centred();
        double[] first = axis(centred, new double[pivots.length]);
        double[] second = axis(centred, first);
        for (int v = 0; v < x.length; v++) {
            x[v] = dot(centred, v, first) + jitter(v);
            y[v] = dot(centred, v, second) + jitter(-v);
        }
        scale();
    }

    /** Computes the doubly centred squares of the distances, by pivot and vertex. */
    private double[][] centred() {
        double[][] squares = new double[pivots.length][x.length];
        double[] ofVertex = new double[x.length];
        double[] ofPivot = new double[pivots.length];
        double all = 0;
        for (int i = 0; i < pivots.length; i++) {
            for (int v = 0; v < x.length; v++) {
                double square = (double) hops[i][v] * hops[i][v];
                squares[i][v] = square;
                ofVertex[v] += square / pivots.length;
                ofPivot[i] += square / x.length;
                all += square / x.length / pivots.length;
            }
        }
        for (int i = 0; i < pivots.length; i++) {
            for (int v = 0; v < x.length; v++) {
                squares[i][v] = (ofVertex[v] + ofPivot[i] - all - squares[i][v]) / 2;
            }
        }
        return squares;
    }

    /**
     * Computes a main axis by power iteration with a fixed start.
     *
     * @param centred matrix by pivot and vertex
     * @param other axis to which the result is orthogonal; zeros for none
     * @return weight by pivot
     */
    private static double[] axis(double[][] centred, double[] other) {
        int size = centred[0].length;
        double[] axis = new double[centred.length];
        Arrays.setAll(axis, i -> 1 + jitter(i + 1) / JITTER);
        for (int round = 0; round < PROJECTION_ROUNDS; round++) {
            normalize(axis, other);
            double[] places = new double[size];
            for (int v = 0; v < size; v++) {
                places[v] = dot(centred, v, axis);
            }
            for (int i = 0; i < axis.length; i++) {
                axis[i] = 0;
                for (int v = 0; v < size; v++) {
                    axis[i] += centred[i][v] * places[v];
                }
            }
        }
        normalize(axis, other);
        return axis;
    }

    private static void normalize(double[] axis, double[] other) {
        double shared = 0;
        for (int i = 0; i < axis.length; i++) {
            shared += axis[i] * other[i];
        }
        double length = 0;
        for (int i = 0; i < axis.length; i++) {
            axis[i] -= shared * other[i];
            length += axis[i] * axis[i];
        }
        for (int i = 0; i < axis.length && length > 0; i++) {
            axis[i] /= Math.sqrt(length);
        }
    }

    private static double dot(double[][] centred, int v, double[] axis) {
        double sum = 0;
        for (int i = 0; i < axis.length; i++) {
            sum += centred[i][v] * axis[i];
        }
        return sum;
    }

    /** Scales the positions so that the sum of distances equals the sum of hops. */
    private void scale() {
        double wanted = 0;
        double drawn = 0;
        for (int i = 0; i < pivots.length; i++) {
            for (int v = 0; v < x.length; v++) {
                wanted += hops[i][v];
                drawn += distance(v, pivots[i]);
            }
        }
        double factor = drawn > 0 ? wanted / drawn : 1;
        for (int v = 0; v < x.length; v++) {
            x[v] *= factor;
            y[v] *= factor;
        }
    }

    private double distance(int a, int b) {
        return Math.sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]));
    }

    /**
     * Moves a vertex to the weighted mean of the places that the pivots and the neighbours suggest. Near vertices have
     * more weight.
     */
    private void relax(int v) {
        double[] sum = new double[3];
        for (int i = 0; i < pivots.length; i++) {
            if (hops[i][v] > 0) {
                addSuggestedPlace(v, pivots[i], hops[i][v], sum);
            }
        }
        if (pivots.length < x.length) {
            for (int next : graph.neighbours(v)) {
                addSuggestedPlace(v, next, 1, sum);
            }
        }
        if (sum[2] > 0) {
            x[v] = sum[0] / sum[2];
            y[v] = sum[1] / sum[2];
        }
    }

    /**
     * Adds the place of a vertex that another vertex suggests.
     *
     * @param origin other vertex
     * @param hops number of hops between the vertices
     * @param sum weighted sums of x and y, and the sum of weights
     */
    private void addSuggestedPlace(int v, int origin, double hops, double[] sum) {
        double weight = 1 / (hops * hops);
        double distance = distance(v, origin);
        double stretch = distance > 0 ? hops / distance : 0;
        sum[0] += weight * (x[origin] + (x[v] - x[origin]) * stretch);
        sum[1] += weight * (y[origin] + (y[v] - y[origin]) * stretch);
        sum[2] += weight;
    }
}
