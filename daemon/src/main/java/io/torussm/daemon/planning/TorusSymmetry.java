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
 * Failures of a complete torus, in kinds that translations and reflections map to each other. All switches
 * are alike, and so are all cables of a dimension. Two pairs of failures are alike if their distances are
 * equal in each dimension.
 *
 * <p>Values that depend only on the graph are the same for all failures of a kind. But routes have a dateline
 * and take one of two ways that are equally long. So the number of changed paths and the loads depend on the
 * position, and several failures of a kind have to be tried. Only some reflections keep dateline and ways
 * ({@link #mirrored}).
 */
public final class TorusSymmetry {
    private static final String NAMES = "xyz";

    /** Members of a kind that are drawn, besides the first; more where two switches fail, or one part alone. */
    private static final int DRAWN = 3;

    private static final int MANY_DRAWN = 16;
    private static final String TWO_SWITCHES = "switch and switch";

    private static final long SEED = 42;

    private final Plan plan;
    private final TorusMap torus;

    /** A device that may fail, and twice the coordinates of its middle. */
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
     * @param name failed devices, and their distance
     * @param members number of failures of the kind
     * @param drawn the first of them, and some others at random, the same each time
     */
    public record FailureClass(String name, int members, List<Failure> drawn) {
        public FailureClass {
            drawn = List.copyOf(drawn);
        }
    }

    /**
     * Failures that a torus mirrors into one another.
     *
     * @param members by place: the first and the last are mirrored in all dimensions, unless one of a seed is
     *     missing among them
     * @param played how many have to be
     */
    record Images(List<Failure> members, int played) {
        Images {
            members = List.copyOf(members);
        }

        /** Returns the image of a failure that is like no other. */
        static Images of(Failure failure) {
            return new Images(List.of(failure), 1);
        }

        /** Returns the first and the last failure. */
        List<Failure> samples() {
            return played == 1 ? members.subList(0, 1) : List.of(members.get(0), members.get(members.size() - 1));
        }
    }

    /** Takes each failure, of one or more parts, with the name of its kind. */
    private interface Visitor {
        void visit(String kind, Part one, @Nullable Part other);
    }

    private TorusSymmetry(Plan plan, TorusMap torus) {
        this.plan = plan;
        this.torus = torus;
    }

    /**
     * Returns the symmetry of a plan's torus; empty if it is none, or a mesh, if a switch or a cable is
     * missing, or hosts are not the same everywhere.
     */
    public static Optional<TorusSymmetry> of(Plan plan) {
        return TorusMap.of(plan).filter(torus -> isEven(plan, torus)).map(torus -> new TorusSymmetry(plan, torus));
    }

    private static boolean isEven(Plan plan, TorusMap torus) {
        PathEnds ends = new PathEnds(plan.subnet());
        boolean isWhole =
                torus.placed() == torus.positions() && plan.subnet().fabric().switchCount() == torus.positions();
        for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
            isWhole &= torus.radix(d) == 1 || !torus.isMesh(d);
            for (int at = 0; at < torus.positions() && isWhole; at++) {
                isWhole = torus.radix(d) == 1 || torus.cables(at, d) == torus.cables(0, d);
                isWhole &= ends.on(torus.switchAt(at)) == ends.on(torus.switchAt(0));
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
                int[] ports = torus.plusPorts(at, d);
                for (int cable = 0; cable < ports.length && torus.radix(d) > 1; cable++) {
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
        return drawn(this::visitSingles, kind -> MANY_DRAWN);
    }

    /** Returns every two of them at the same time. */
    public List<FailureClass> pairs() {
        return drawn(this::visitPairs, kind -> kind.startsWith(TWO_SWITCHES) ? MANY_DRAWN : DRAWN);
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
     * Returns failures in kinds that are mapped to each other by reflections under which the plan is its own
     * image ({@link TorusMirror}). A failure at a seed, from which positions are counted, is a kind of its
     * own, and so are several simultaneous losses.
     */
    List<Images> mirrored(List<Failure> failures, RoutingOptions options) {
        boolean[] isMirrored = new boolean[TorusMap.DIMENSIONS];
        boolean isAny = false;
        for (int d = 0; d < isMirrored.length; d++) {
            isMirrored[d] = torus.radix(d) > 1 && TorusMirror.keeps(plan, torus, d, options);
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
        boolean isOneCableEnough = torus.hasTreeWithoutAnyCable();
        return kinds.values().stream()
                .map(kind -> {
                    boolean isOne = kind.size() == 1
                            || (isOneCableEnough && kind.get(0).switches().isEmpty());
                    return new Images(kind.stream().sorted(byPlace).toList(), isOne ? 1 : 2);
                })
                .toList();
    }

    /** Checks whether one switch fails, or one cable that has a position, and it does not belong to a seed. */
    private boolean isSingle(Failure failure) {
        Fabric fabric = plan.subnet().fabric();
        if (failure.switches().size() + failure.cables().size() != 1) {
            return false;
        }
        if (failure.cables().isEmpty()) {
            return !torus.isOfSeed(failure.switches().get(0));
        }
        int port = failure.cables().get(0);
        return torus.dimension(port) < TorusMap.DIMENSIONS
                && !(torus.isOfSeed(fabric.nodeOf(port)) && torus.isOfSeed(fabric.nodeOf(fabric.peer(port))));
    }

    /** Returns where it is: twice the coordinates of a switch, half a step further for a cable. */
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

    /** Returns the same for all images of a middle. */
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
                String both = isInOrder ? kinds[j] + " and " + kinds[i] : kinds[i] + " and " + kinds[j];
                visitor.visit(both + apart(parts.get(i), parts.get(j)), parts.get(j), parts.get(i));
            }
        }
    }

    private static Failure failure(Part one, @Nullable Part other) {
        return other == null ? one.failure : Failure.ofAll(List.of(one.failure, other.failure));
    }

    /** Returns the first of each kind, and others by reservoir sampling: every one is as likely as the rest. */
    private static List<FailureClass> drawn(Consumer<Visitor> all, ToIntFunction<String> more) {
        Map<String, Drawing> drawings = new HashMap<>();
        SplittableRandom random = new SplittableRandom(SEED);
        all.accept((kind, one, other) -> {
            Drawing drawing = drawings.computeIfAbsent(kind, name -> new Drawing(more.applyAsInt(name)));
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

    private static final class Drawing {
        private final Failure[] failures;
        private int count;

        Drawing(int more) {
            failures = new Failure[1 + more];
        }

        FailureClass kind(String name) {
            return new FailureClass(name, count, List.of(Arrays.copyOf(failures, Math.min(count, failures.length))));
        }
    }

    private boolean hasParallels() {
        return IntStream.range(0, TorusMap.DIMENSIONS).anyMatch(d -> torus.cables(0, d) > 1);
    }

    /** Returns how far apart two are, in switches, in each dimension that has more than one. */
    private String apart(Part one, Part other) {
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
