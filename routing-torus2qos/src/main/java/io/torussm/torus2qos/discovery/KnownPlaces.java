package io.torussm.torus2qos.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Link;
import io.torussm.torus2qos.conf.Torus2QosConf.Seed;
import java.util.HashMap;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The places of switches in the last active plan. They are used for switches that lost the cables by which
 * discovery places them, because hosts have SLs that depend on these places. Places are used only if they fit
 * the cables.
 */
public final class KnownPlaces {
    private static final Pattern PLACE = Pattern.compile("\\((\\d{1,3}),(\\d{1,3}),(\\d{1,3})\\)");

    private final Fabric fabric;
    private final Torus2QosConf conf;

    /** By node GUID. */
    private final Map<Long, Place> places;

    /** By switch index: the position, for switches whose place is inside the sizes of the file. */
    private final Map<Integer, Integer> positions = new HashMap<>();

    /** True if a switch of the fabric had a place outside the sizes of the file. */
    private final boolean isLarger;

    /**
     * True if all places, also those of absent switches, are inside the sizes of the file, and the last position is
     * among them.
     */
    private final boolean hasSizes;

    /**
     * Creates the positions of switches from remembered places.
     *
     * @param places places by node GUID, also of absent switches
     */
    public KnownPlaces(Fabric fabric, Torus2QosConf conf, Map<Long, Place> places) {
        this.fabric = fabric;
        this.conf = conf;
        this.places = places;
        boolean isBeyond = false;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            Place place = places.get(fabric.nodeGuid(sw));
            int position = place == null ? Grid.NONE : position(place);
            if (position >= 0) {
                positions.put(sw, position);
            }
            isBeyond |= place != null && position < 0;
        }
        isLarger = isBeyond;
        IntSummaryStatistics positionStatistics =
                places.values().stream().mapToInt(this::position).summaryStatistics();
        hasSizes = positionStatistics.getMin() >= 0
                && positionStatistics.getMax() == conf.radix(0) * conf.radix(1) * conf.radix(2) - 1;
    }

    /**
     * Returns the position of a place; {@link Grid#NONE} if it is not of the form (x,y,z), or outside the sizes of
     * the file.
     */
    private int position(Place place) {
        Matcher matcher = PLACE.matcher(place.coordinates());
        int position = 0;
        for (int d = Dim.COUNT - 1; d >= 0; d--) {
            int coordinate = matcher.matches() ? Integer.parseInt(matcher.group(d + 1)) : conf.radix(d);
            if (coordinate >= conf.radix(d)) {
                return Grid.NONE;
            }
            position = position * conf.radix(d) + coordinate;
        }
        return position;
    }

    /**
     * Checks whether a torus lacks switches of the fabric, and the places of some switches are outside the sizes of
     * the file. False for null.
     */
    public boolean areLarger(@Nullable Torus torus) {
        return isLarger && torus != null && torus.slots() < fabric.switchCount();
    }

    /**
     * Returns a torus with unplaced switches added at their known places. If a known place contradicts the torus, or
     * there is nothing to add, returns the torus itself.
     */
    public Torus complete(Torus torus) {
        Map<Integer, Integer> positionOfSwitch = new LinkedHashMap<>();
        for (int slot = 0; slot < torus.slots(); slot++) {
            int known = positions.getOrDefault(torus.switchOf(slot), torus.positionOf(slot));
            if (known != torus.positionOf(slot)) {
                return torus;
            }
            positionOfSwitch.put(torus.switchOf(slot), known);
        }
        positions.forEach((sw, position) -> {
            if (torus.slotOfSwitch(sw) < 0 && torus.slotAt(position) < 0) {
                positionOfSwitch.put(sw, position);
            }
        });
        Torus completed = positionOfSwitch.size() == torus.slots() ? null : build(positionOfSwitch, torus.seed());
        return completed == null ? torus : completed;
    }

    /** Returns the torus that the known places give, without a seed; null if cables contradict it. */
    @Nullable
    public Torus torusOfKnownPlaces() {
        Seed seed = conf.seeds().stream().findFirst().orElse(new Seed(0, new Link[Dim.LOCAL], new int[Dim.COUNT]));
        return isLikely() ? build(positions, seed) : null;
    }

    /**
     * Returns the torus that the known places give, without a seed. If cables contradict the sizes of the file, the
     * sizes come from the places.
     *
     * @return null if cables contradict these sizes as well
     */
    @Nullable
    public Torus torusOfAnySizes() {
        Torus torus = torusOfKnownPlaces();
        KnownPlaces other = torus == null ? withOwnSizes() : null;
        return other == null ? torus : other.torusOfKnownPlaces();
    }

    private @Nullable KnownPlaces withOwnSizes() {
        int[] radix = new int[Dim.COUNT];
        for (Place place : places.values()) {
            Matcher matcher = PLACE.matcher(place.coordinates());
            if (!matcher.matches()) {
                continue;
            }
            for (int d = 0; d < Dim.COUNT; d++) {
                radix[d] = Math.max(radix[d], Integer.parseInt(matcher.group(d + 1)) + 1);
            }
        }
        long count = (long) radix[0] * radix[1] * radix[2];
        if (count == 0 || count > Torus2QosConf.MAX_POSITIONS) {
            return null;
        }
        boolean[] mesh = new boolean[Dim.COUNT];
        KnownPlaces wrapped = new KnownPlaces(fabric, conf.withSizes(radix, new boolean[Dim.COUNT]), places);
        for (int d = 0; d < Dim.COUNT; d++) {
            mesh[d] = !wrapped.wraps(d);
        }
        return new KnownPlaces(fabric, conf.withSizes(radix, mesh), places);
    }

    /** Checks whether a cable joins the two ends of a line of known switches in a dimension. */
    private boolean wraps(int d) {
        Grid grid = new Grid(fabric, conf);
        return IntStream.range(0, fabric.portCount())
                .filter(port -> FabricFilter.isSwitchLink(fabric, port))
                .anyMatch(port -> {
                    int from = positions.getOrDefault(fabric.nodeOf(port), Grid.NONE);
                    int to = positions.getOrDefault(fabric.nodeOf(fabric.peer(port)), Grid.NONE);
                    return from != Grid.NONE
                            && grid.coordinate(from, d) == 0
                            && grid.neighbour(from, Dim.minus(d)) == to;
                });
    }

    /**
     * Checks whether all cables between known switches join neighbours. Three quarters of the cables are enough if
     * the places have the sizes of the file.
     */
    private boolean isLikely() {
        Grid grid = new Grid(fabric, conf);
        int cables = 0;
        int strays = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = FabricFilter.isSwitchLink(fabric, port) ? fabric.nodeOf(fabric.peer(port)) : Grid.NONE;
            int from = positions.getOrDefault(fabric.nodeOf(port), Grid.NONE);
            int to = positions.getOrDefault(far, Grid.NONE);
            if (from != Grid.NONE && to != Grid.NONE) {
                cables++;
                strays += IntStream.range(0, Dim.LOCAL).anyMatch(group -> grid.neighbour(from, group) == to) ? 0 : 1;
            }
        }
        return !positions.isEmpty() && !isLarger && (strays == 0 || (hasSizes && 4 * strays <= cables));
    }

    private @Nullable Torus build(Map<Integer, Integer> places, Seed seed) {
        Grid grid = new Grid(fabric, conf);
        places.forEach((sw, position) -> grid.place(position, sw));
        for (int slot = 0; slot < grid.placedCount(); slot++) {
            for (int d = 0; d < Dim.COUNT; d++) {
                int beside = grid.neighbour(grid.positionOf(slot), Dim.plus(d));
                if (beside != Grid.NONE && grid.slotAt(beside) != Grid.NONE) {
                    grid.connect(d, slot, grid.slotAt(beside));
                }
            }
        }
        new PlacementCompletion(fabric, grid).run();
        for (int slot = 0; slot < grid.placedCount(); slot++) {
            grid.addLocalPorts(slot);
        }
        return grid.toTorus(seed);
    }
}
