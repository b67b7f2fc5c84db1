package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.torus2qos.TorusMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The failures of a complete torus, in kinds that translations and reflections map to each other. All switches form one
 * kind, and so do all cables of a dimension. Two pairs of failures are of one kind if their types, and their distances
 * in each dimension, are equal.
 *
 * <p>Values that depend only on the graph are the same for all failures of a kind. But routes have a dateline, and take
 * one of two equally long ways. So the number of changed paths and the loads depend on the position, and several
 * failures of a kind are simulated. Only some reflections keep dateline and ways
 * ({@link #mirrored}).
 */
public final class TorusSymmetry {
    private static final String NAMES = "xyz";

    /**
     * Number of members of a kind that are drawn besides the first: MANY_EXTRA_SAMPLES for single failures and two
     * switches.
     */
    private static final int EXTRA_SAMPLES = 3;

    private static final int MANY_EXTRA_SAMPLES = 16;
    private static final String TWO_SWITCHES = "switch and switch";

    private static final long SEED = 42;

    private final Plan plan;
    private final TorusMap torus;

    /**
     * A device that may fail.
     *
     * @param dimension dimension of a cable; {@link TorusMap#DIMENSIONS} for a switch
     * @param cable number among parallel cables, from 0
     * @param middle twice the coordinates of the middle of the device, so that cables have integers, too
     */
    private record Part(Failure failure, int dimension, int cable, int[] middle) {
        String kind(boolean isNumbered) {
            return dimension == TorusMap.DIMENSIONS
                    ? "switch"
                    : "link in " + NAMES.charAt(dimension) + (isNumbered ? " #" + cable : "");
        }
    }

    /**
     * A kind of failures that are alike.
     *
     * @param name types of the failed devices, and their distance
     * @param members number of failures of the kind
     * @param samples the first failure, and some others at random, the same in each run
     */
    public record FailureClass(String name, int members, List<Failure> samples) {
        public FailureClass {
            samples = List.copyOf(samples);
        }
    }

    /**
     * Failures that a torus mirrors into one another.
     *
     * @param members failures by place: the first and the last are mirrored in all dimensions, unless a failure at a
     *     seed is missing among them
     * @param played number of failures that must be simulated, 1 or 2
     */
    record Images(List<Failure> members, int played) {
        Images {
            members = List.copyOf(members);
        }

        /** Returns a kind of its own for a failure without an image. */
        static Images of(Failure failure) {
            return new Images(List.of(failure), 1);
        }

        /** Returns the failures to simulate: the first, and the last if two are necessary. */
        List<Failure> samples() {
            return played == 1 ? members.subList(0, 1) : List.of(members.get(0), members.get(members.size() - 1));
        }
    }

    /** A receiver of failures of one or two parts, with the name of their kind. */
    private interface Visitor {
        void visit(String kind, Part one, @Nullable Part other);
    }

    private TorusSymmetry(Plan plan, TorusMap torus) {
        this.plan = plan;
        this.torus = torus;
    }

    /**
     * Returns the symmetry of a plan's torus. Empty if the fabric is no torus, or is a mesh. Also empty if a switch or
     * a cable is missing, or if switches have different numbers of hosts.
     */
    public static Optional<TorusSymmetry> of(Plan plan) {
        return TorusMap.of(plan).filter(torus -> isEven(plan, torus)).map(torus -> new TorusSymmetry(plan, torus));
    }

    private static boolean isEven(Plan plan, TorusMap torus) {
        PathEnds ends = new PathEnds(plan.subnet());
        boolean isWhole = torus.placedCount() == torus.positions()
                && plan.subnet().fabric().switchCount() == torus.positions();
        for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
            isWhole &= torus.radix(d) == 1 || !torus.isMesh(d);
            for (int at = 0; at < torus.positions() && isWhole; at++) {
                isWhole = torus.radix(d) == 1 || torus.cables(at, d) == torus.cables(0, d);
                isWhole &= ends.endCount(torus.switchAt(at)) == ends.endCount(torus.switchAt(0));
            }
        }
        return isWhole;
    }

    private List<Part> parts() {
        Fabric fabric = plan.subnet().fabric();
        List<Part> parts = new ArrayList<>();
        for (int at = 0; at < torus.positions(); at++) {
            int sw = torus.switchAt(at);
            parts.add(new Part(Failure.ofSwitch(plan, sw), TorusMap.DIMENSIONS, 0, middle(at)));
            for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
                int[] middle = middle(at);
                middle[d]++;
                int[] ports = torus.radix(d) > 1 ? torus.plusPorts(at, d) : new int[0];
                for (int cable = 0; cable < ports.length; cable++) {
                    parts.add(new Part(Failure.ofCable(plan, fabric.port(sw, ports[cable])), d, cable, middle));
                }
            }
        }
        return parts;
    }

    private int[] middle(int at) {
        return IntStream.range(0, TorusMap.DIMENSIONS)
                .map(d -> 2 * torus.coordinate(at, d))
                .toArray();
    }

    /** Returns the single failures of every switch and every cable. */
    public List<FailureClass> singles() {
        return sample(this::visitSingles, kind -> MANY_EXTRA_SAMPLES);
    }

    /** Returns the pairs of simultaneous failures of any two switches or cables. */
    public List<FailureClass> pairs() {
        return sample(this::visitPairs, kind -> kind.startsWith(TWO_SWITCHES) ? MANY_EXTRA_SAMPLES : EXTRA_SAMPLES);
    }

    /** Returns all pairs of a kind. */
    public List<Failure> pairs(FailureClass kind) {
        List<Failure> all = new ArrayList<>();
        visitPairs((name, one, other) -> {
            if (name.equals(kind.name)) {
                all.add(failure(one, other));
            }
        });
        return all;
    }

    /**
     * Returns the kinds of failures that reflections map to each other, if the plan is its own image under these
     * reflections ({@link TorusMirror}). A failure at a seed, from which positions are counted, is a kind of its own.
     * So is a failure of several devices.
     */
    List<Images> mirrored(List<Failure> failures, RoutingOptions options) {
        boolean[] isMirrored = new boolean[TorusMap.DIMENSIONS];
        boolean isAny = false;
        for (int d = 0; d < isMirrored.length; d++) {
            isMirrored[d] = torus.radix(d) > 1 && TorusMirror.isOwnImage(plan, torus, d, options);
            isAny |= isMirrored[d];
        }
        int[] places = new int[plan.subnet().fabric().switchCount()];
        IntStream.range(0, torus.positions()).forEach(at -> places[torus.switchAt(at)] = at);
        Map<Object, List<Failure>> kinds = new LinkedHashMap<>();
        for (Failure failure : failures) {
            Object kind = isAny && isSingle(failure) ? mirrored(middle(failure, places), isMirrored) : failure;
            kinds.computeIfAbsent(kind, name -> new ArrayList<>()).add(failure);
        }
        Comparator<Failure> byPlace = (one, other) -> Arrays.compare(middle(one, places), middle(other, places));
        boolean isOneCableEnough = torus.hasTreeAfterCableLoss();
        return kinds.values().stream()
                .map(kind -> {
                    boolean isOne = kind.size() == 1
                            || (isOneCableEnough && kind.get(0).switches().isEmpty());
                    return new Images(kind.stream().sorted(byPlace).toList(), isOne ? 1 : 2);
                })
                .toList();
    }

    /** Checks whether a failure is the loss of one switch, or of one cable with a position, outside of the seeds. */
    private boolean isSingle(Failure failure) {
        Fabric fabric = plan.subnet().fabric();
        if (failure.switches().size() + failure.cables().size() != 1) {
            return false;
        }
        if (failure.cables().isEmpty()) {
            return !torus.isNamedBySeed(failure.switches().get(0));
        }
        int port = failure.cables().get(0);
        return torus.dimension(port) < TorusMap.DIMENSIONS
                && !(torus.isNamedBySeed(fabric.nodeOf(port)) && torus.isNamedBySeed(fabric.nodeOf(fabric.peer(port))));
    }

    /**
     * Returns twice the coordinates of the middle of a failed device. The middle of a cable lies half a step from its
     * switch.
     *
     * @param places position of each switch in the torus, by switch index
     */
    private int[] middle(Failure failure, int[] places) {
        if (failure.cables().isEmpty()) {
            return middle(places[failure.switches().get(0)]);
        }
        int port = failure.cables().get(0);
        int[] middle = middle(places[plan.subnet().fabric().nodeOf(port)]);
        int d = torus.dimension(port);
        middle[d] = Math.floorMod(middle[d] + (torus.direction(port).startsWith("+") ? 1 : -1), 2 * torus.radix(d));
        return middle;
    }

    /**
     * Returns the representative of a middle and of its images: the smaller doubled coordinate in each mirrored
     * dimension.
     */
    private List<Integer> mirrored(int[] middle, boolean[] isMirrored) {
        return IntStream.range(0, TorusMap.DIMENSIONS)
                .map(d -> {
                    int ring = 2 * torus.radix(d);
                    return isMirrored[d] ? Math.min(middle[d], Math.floorMod(-2 - middle[d], ring)) : middle[d];
                })
                .boxed()
                .toList();
    }

    private void visitSingles(Visitor visitor) {
        boolean isNumbered = hasParallels();
        parts().forEach(part -> visitor.visit(part.kind(isNumbered), part, null));
    }

    private void visitPairs(Visitor visitor) {
        List<Part> parts = parts();
        boolean isNumbered = hasParallels();
        String[] kinds = parts.stream().map(part -> part.kind(isNumbered)).toArray(String[]::new);
        for (int i = 0; i < kinds.length; i++) {
            for (int j = 0; j < i; j++) {
                boolean isInOrder = kinds[j].compareTo(kinds[i]) <= 0;
                String pairKind = isInOrder ? kinds[j] + " and " + kinds[i] : kinds[i] + " and " + kinds[j];
                visitor.visit(pairKind + distanceText(parts.get(i), parts.get(j)), parts.get(j), parts.get(i));
            }
        }
    }

    private static Failure failure(Part one, @Nullable Part other) {
        return other == null ? one.failure : Failure.ofAll(List.of(one.failure, other.failure));
    }

    /**
     * Returns the first failure of each kind, and others by reservoir sampling, so that each other failure is equally
     * likely.
     */
    private static List<FailureClass> sample(Consumer<Visitor> all, ToIntFunction<String> more) {
        Map<String, Reservoir> drawings = new HashMap<>();
        SplittableRandom random = new SplittableRandom(SEED);
        all.accept((kind, one, other) -> {
            Reservoir drawing = drawings.computeIfAbsent(kind, name -> new Reservoir(more.applyAsInt(name)));
            int at = drawing.count++;
            int place = at < drawing.failures.length ? at : 1 + random.nextInt(at);
            if (place < drawing.failures.length) {
                drawing.failures[place] = failure(one, other);
            }
        });
        return drawings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(each -> each.getValue().kind(each.getKey()))
                .toList();
    }

    private static final class Reservoir {
        private final Failure[] failures;
        private int count;

        Reservoir(int more) {
            failures = new Failure[1 + more];
        }

        FailureClass kind(String name) {
            return new FailureClass(name, count, List.of(Arrays.copyOf(failures, Math.min(count, failures.length))));
        }
    }

    private boolean hasParallels() {
        return IntStream.range(0, TorusMap.DIMENSIONS).anyMatch(d -> torus.cables(0, d) > 1);
    }

    /** Returns the distance of two parts, in switches, in each dimension with more than one switch. */
    private String distanceText(Part one, Part other) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
            int ring = 2 * torus.radix(d);
            int way = Math.abs(one.middle[d] - other.middle[d]) % ring;
            int halves = Math.min(way, ring - way);
            if (torus.radix(d) > 1) {
                text.append(text.isEmpty() ? ", apart by " : ",")
                        .append(halves / 2)
                        .append(halves % 2 == 0 ? "" : ".5");
            }
        }
        return text.toString();
    }
}
