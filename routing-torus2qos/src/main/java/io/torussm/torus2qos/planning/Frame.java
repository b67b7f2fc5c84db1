package io.torussm.torus2qos.planning;

import io.torussm.torus2qos.planning.StraightLines.Line;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lines through one switch, the seed, as axes of a torus. A single cable is an axis of two switches, or two
 * single cables together are a ring of four.
 */
final class Frame {
    private static final int NONE = -1;

    private final TorusGraph graph;
    private final int seed;
    private final List<Axis> lines = new ArrayList<>();

    /** Neighbours on single cables. Pairs whose cables join the same port numbers come first, two by two. */
    private final List<Integer> singles = new ArrayList<>();

    /** Number of such pairs at the beginning of {@code singles}. */
    private int agreeingPairs;

    /**
     * One dimension.
     *
     * @param switches switch by coordinate, -1 where unknown
     * @param origin coordinate of the seed, which all axes share
     */
    private record Axis(boolean wraps, int[] switches, int origin) {
        /** Checks whether a dimension has the length of this line, and wraps if and only if this line does. */
        private boolean fits(TorusShape shape, int d) {
            return shape.radix(d) == switches.length && shape.wraps(d) == wraps;
        }

        /** Checks whether this line may be the remaining part of a ring along a dimension. */
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
        int minusLength = line.minus().length;
        int[] switches = new int[line.length()];
        for (int i = 0; i < minusLength; i++) {
            switches[i] = line.minus()[minusLength - 1 - i];
        }
        switches[minusLength] = seed;
        System.arraycopy(line.plus(), 0, switches, minusLength + 1, line.plus().length);
        return new Axis(line.isRing(), switches, minusLength);
    }

    private void pairByPorts(List<Integer> ends) {
        List<Integer> unpaired = new ArrayList<>();
        for (int end : ends) {
            Optional<Integer> mate = unpaired.stream()
                    .filter(other -> Arrays.equals(ports(end), ports(other)))
                    .findFirst();
            if (mate.isPresent()) {
                unpaired.remove(mate.get());
                singles.add(mate.get());
                singles.add(end);
                agreeingPairs++;
            } else {
                unpaired.add(end);
            }
        }
        singles.addAll(unpaired);
    }

    /** Returns the numbers of the ports that the first cable to a neighbour joins, the lower first. */
    private int[] ports(int neighbour) {
        int[] ports = {graph.ports(seed, neighbour)[0], graph.ports(neighbour, seed)[0]};
        Arrays.sort(ports);
        return ports;
    }

    /**
     * Returns the shape of a torus with these lines. If port numbers correspond to directions, single cables form
     * rings of four where port numbers agree. Otherwise they form as many rings as possible, since a single cable
     * may also be the rest of a ring that lost a cable.
     *
     * @param isRegular true if port numbers correspond to directions
     * @return shape; empty if it would have more than three dimensions
     */
    Optional<TorusShape> shape(boolean isRegular) {
        int max = singles.size() / 2;
        int needed = lines.size() + singles.size() - TorusShape.DIMENSIONS;
        int rings = Math.max(isRegular ? agreeingPairs : max, needed);
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

    /**
     * Returns the axes.
     *
     * @param rings number of rings of four that are made of single cables
     */
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
     * Places switches in a torus of a given shape, from the seed outwards; empty if the lines of the seed do not fit
     * the shape.
     *
     * @param isWhole true if an open line must not be taken for the remaining part of a ring
     */
    Optional<Embedding> embedding(TorusShape shape, boolean isWhole) {
        int rings = lines.size() + singles.size() - extents(shape);
        if (rings < 0 || 2 * rings > singles.size()) {
            return Optional.empty();
        }
        @Nullable Axis[] axes = new Axis[TorusShape.DIMENSIONS];
        List<Axis> unassigned = axes(rings);
        assign(axes, unassigned, (axis, d) -> axis.fits(shape, d));
        if (!isWhole) {
            assign(axes, unassigned, (axis, d) -> axis.isPartOf(shape, d));
        }
        return unassigned.isEmpty()
                ? Optional.of(Embedding.growFrom(graph, shape, switchesOnAxes(shape, axes)))
                : Optional.empty();
    }

    private interface Match {
        boolean matches(Axis axis, int d);
    }

    private static void assign(@Nullable Axis[] axes, List<Axis> unassigned, Match match) {
        for (int d = 0; d < axes.length; d++) {
            int dimension = d;
            Optional<Axis> matching = axes[d] != null
                    ? Optional.empty()
                    : unassigned.stream()
                            .filter(axis -> match.matches(axis, dimension))
                            .findFirst();
            if (matching.isPresent()) {
                axes[d] = matching.get();
                unassigned.remove(matching.get());
            }
        }
    }

    /** Returns the switches on the axes by position, -1 at other positions. */
    private int[] switchesOnAxes(TorusShape shape, @Nullable Axis[] axes) {
        int[] origin = new int[axes.length];
        for (int d = 0; d < axes.length; d++) {
            Axis axis = axes[d];
            origin[d] = axis == null ? 0 : axis.origin;
        }
        int[] known = new int[shape.positions()];
        Arrays.fill(known, NONE);
        for (int d = 0; d < axes.length; d++) {
            Axis axis = axes[d];
            if (axis == null) {
                continue;
            }
            int[] coordinates = origin.clone();
            for (int i = 0; i < axis.switches.length; i++) {
                coordinates[d] = i;
                known[shape.position(coordinates)] = axis.switches[i];
            }
        }
        return known;
    }

    /** Returns the number of dimensions with more than one switch. */
    private static int extents(TorusShape shape) {
        int extents = 0;
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            extents += shape.radix(d) > 1 ? 1 : 0;
        }
        return extents;
    }
}
