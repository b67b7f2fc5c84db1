package io.torussm.torus2qos.planning;

import io.torussm.torus2qos.planning.StraightLines.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lines through one switch as axes of a torus; of single cables, two may be taken together as a ring of four. */
final class Frame {
    private static final int NONE = -1;

    private final TorusGraph graph;
    private final int seed;
    private final List<Axis> lines = new ArrayList<>();

    /** Neighbours on single cables. Pairs whose cables join ports of the same numbers come first, two by two. */
    private final List<Integer> singles = new ArrayList<>();

    private int agreeing;

    /**
     * One dimension.
     *
     * @param switches by coordinate, -1 where unknown
     * @param origin the coordinate of the switch that all axes share
     */
    private record Axis(boolean wraps, int[] switches, int origin) {
        private boolean isOf(TorusShape shape, int d) {
            return shape.radix(d) == switches.length && shape.wraps(d) == wraps;
        }

        /** Checks whether this line may be the remaining part of a ring. */
        private boolean isPartOf(TorusShape shape, int d) {
            return shape.radix(d) >= switches.length && shape.wraps(d) && !wraps;
        }
    }

    Frame(TorusGraph graph, int seed, List<Line> through) {
        this.graph = graph;
        this.seed = seed;
        List<Integer> ends = new ArrayList<>();
        for (Line line : through) {
            if (line.isSingle()) {
                ends.add(line.plus()[0]);
            } else {
                lines.add(axis(line));
            }
        }
        pairByPorts(ends);
    }

    private Axis axis(Line line) {
        int before = line.minus().length;
        int[] switches = new int[line.length()];
        for (int i = 0; i < before; i++) {
            switches[i] = line.minus()[before - 1 - i];
        }
        switches[before] = seed;
        System.arraycopy(line.plus(), 0, switches, before + 1, line.plus().length);
        return new Axis(line.isRing(), switches, before);
    }

    private void pairByPorts(List<Integer> ends) {
        List<Integer> alone = new ArrayList<>();
        for (int end : ends) {
            Optional<Integer> mate = alone.stream()
                    .filter(other -> Arrays.equals(ports(end), ports(other)))
                    .findFirst();
            if (mate.isPresent()) {
                alone.remove(mate.get());
                singles.add(mate.get());
                singles.add(end);
                agreeing++;
            } else {
                alone.add(end);
            }
        }
        singles.addAll(alone);
    }

    /** Returns the numbers of the ports that the first cable to a neighbour joins, the lower first. */
    private int[] ports(int neighbour) {
        int[] ports = {graph.ports(seed, neighbour)[0], graph.ports(neighbour, seed)[0]};
        Arrays.sort(ports);
        return ports;
    }

    /**
     * Returns the torus that has these lines. Rings of four are formed where port numbers suggest them. Else
     * there are as many as possible, since a ring can lose a cable.
     *
     * @param isRegular true if port numbers correspond to directions
     * @return empty if there would be more than three dimensions
     */
    Optional<TorusShape> shape(boolean isRegular) {
        int max = singles.size() / 2;
        int needed = lines.size() + singles.size() - TorusShape.DIMENSIONS;
        int rings = Math.max(isRegular ? agreeing : max, needed);
        if (rings > max || lines.size() + singles.size() == 0) {
            return Optional.empty();
        }
        int[] radix = {1, 1, 1};
        boolean[] mesh = new boolean[TorusShape.DIMENSIONS];
        List<Axis> axes = axes(rings);
        for (int d = 0; d < axes.size(); d++) {
            radix[d] = axes.get(d).switches.length;
            mesh[d] = !axes.get(d).wraps;
        }
        return Optional.of(new TorusShape(radix, mesh));
    }

    private List<Axis> axes(int rings) {
        List<Axis> axes = new ArrayList<>(lines);
        for (int i = 0; i < singles.size(); i++) {
            if (i < 2 * rings) {
                axes.add(new Axis(true, new int[] {seed, singles.get(i), NONE, singles.get(i + 1)}, 0));
                i++;
            } else {
                axes.add(new Axis(false, new int[] {seed, singles.get(i)}, 0));
            }
        }
        return axes;
    }

    /**
     * Places the switches around this one in a torus of a given shape; empty if its lines have other lengths.
     *
     * @param isWhole true if an open line may not be part of a ring
     */
    Optional<Embedding> embedding(TorusShape shape, boolean isWhole) {
        int rings = lines.size() + singles.size() - extents(shape);
        if (rings < 0 || 2 * rings > singles.size()) {
            return Optional.empty();
        }
        @Nullable Axis[] axes = new Axis[TorusShape.DIMENSIONS];
        List<Axis> left = axes(rings);
        assign(axes, left, (axis, d) -> axis.isOf(shape, d));
        if (!isWhole) {
            assign(axes, left, (axis, d) -> axis.isPartOf(shape, d));
        }
        return left.isEmpty() ? Optional.of(Embedding.around(graph, shape, known(shape, axes))) : Optional.empty();
    }

    private interface Match {
        boolean isGood(Axis axis, int d);
    }

    private static void assign(@Nullable Axis[] axes, List<Axis> left, Match match) {
        for (int d = 0; d < axes.length; d++) {
            int dimension = d;
            Optional<Axis> found = axes[d] != null
                    ? Optional.empty()
                    : left.stream()
                            .filter(axis -> match.isGood(axis, dimension))
                            .findFirst();
            if (found.isPresent()) {
                axes[d] = found.get();
                left.remove(found.get());
            }
        }
    }

    private int[] known(TorusShape shape, @Nullable Axis[] axes) {
        int[] origin = new int[axes.length];
        for (int d = 0; d < axes.length; d++) {
            Axis axis = axes[d];
            origin[d] = axis == null ? 0 : axis.origin;
        }
        int[] known = new int[shape.positions()];
        Arrays.fill(known, NONE);
        for (int d = 0; d < axes.length; d++) {
            Axis axis = axes[d];
            int[] coordinates = origin.clone();
            for (int i = 0; axis != null && i < axis.switches.length; i++) {
                coordinates[d] = i;
                known[shape.position(coordinates)] = axis.switches[i];
            }
        }
        return known;
    }

    private static int extents(TorusShape shape) {
        int extents = 0;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            extents += shape.radix(d) > 1 ? 1 : 0;
        }
        return extents;
    }
}
