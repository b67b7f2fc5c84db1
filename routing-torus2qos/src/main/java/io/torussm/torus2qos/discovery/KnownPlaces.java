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
 * The places of switches in the last active plan, for switches that lost the cables by which they are placed: the SLs
 * of their paths were granted by these places. Places count only as far as they fit the cables.
 */
public final class KnownPlaces {
    private static final Pattern PLACE = Pattern.compile("\\((\\d{1,3}),(\\d{1,3}),(\\d{1,3})\\)");

    private final Fabric fabric;
    private final Torus2QosConf conf;

    private final Map<Long, Place> places;

    /** By switch index: its position. */
    private final Map<Integer, Integer> positions = new HashMap<>();

    /** A switch of the fabric was placed where the sizes of the file have no position. */
    private final boolean isLarger;

    /** All places, of absent switches too, are places of a torus with the sizes of the file. */
    private final boolean hasSizes;

    /**
     * Takes the places of switches that the fabric has.
     *
     * @param places by node GUID
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
        IntSummaryStatistics all =
                places.values().stream().mapToInt(this::position).summaryStatistics();
        hasSizes = all.getMin() >= 0 && all.getMax() == conf.radix(0) * conf.radix(1) * conf.radix(2) - 1;
    }

    private int position(Place place) {
        Matcher matcher = PLACE.matcher(place.at());
        int position = 0;
        for (int d = Dim.COUNT - 1; d >= 0; d--) {
            int at = matcher.matches() ? Integer.parseInt(matcher.group(d + 1)) : conf.radix(d);
            if (at >= conf.radix(d)) {
                return Grid.NONE;
            }
            position = position * conf.radix(d) + at;
        }
        return position;
    }

    /** Checks whether a torus lacks switches, some of which were placed where the sizes have no position. */
    public boolean areLarger(@Nullable Torus torus) {
        return isLarger && torus != null && torus.slots() < fabric.switchCount();
    }

    /** Returns a torus with unplaced switches at their known places; the same torus if a known place contradicts it. */
    public Torus complete(Torus torus) {
        Map<Integer, Integer> all = new LinkedHashMap<>();
        for (int slot = 0; slot < torus.slots(); slot++) {
            int known = positions.getOrDefault(torus.switchOf(slot), torus.positionOf(slot));
            if (known != torus.positionOf(slot)) {
                return torus;
            }
            all.put(torus.switchOf(slot), known);
        }
        positions.forEach((sw, position) -> {
            if (torus.slotOfSwitch(sw) < 0 && torus.slotAt(position) < 0) {
                all.put(sw, position);
            }
        });
        Torus completed = all.size() == torus.slots() ? null : build(all, torus.seed());
        return completed == null ? torus : completed;
    }

    /** Returns the torus as it is known, without a seed to start from; null if cables contradict it. */
    @Nullable
    public Torus alone() {
        Seed any = conf.seeds().stream().findFirst().orElse(new Seed(0, new Link[Dim.LOCAL], new int[Dim.COUNT]));
        return isLikely() ? build(positions, any) : null;
    }

    /** Returns the same; if cables contradict the sizes of the file, the places give the sizes. */
    @Nullable
    public Torus withAnySizes() {
        Torus torus = alone();
        KnownPlaces other = torus == null ? withOwnSizes() : null;
        return other == null ? torus : other.alone();
    }

    private @Nullable KnownPlaces withOwnSizes() {
        int[] radix = new int[Dim.COUNT];
        for (Place place : places.values()) {
            Matcher matcher = PLACE.matcher(place.at());
            for (int d = 0; d < Dim.COUNT && matcher.matches(); d++) {
                radix[d] = Math.max(radix[d], Integer.parseInt(matcher.group(d + 1)) + 1);
            }
        }
        long all = (long) radix[0] * radix[1] * radix[2];
        if (all == 0 || all > Torus2QosConf.MAX_POSITIONS) {
            return null;
        }
        boolean[] mesh = new boolean[Dim.COUNT];
        KnownPlaces wrapped = new KnownPlaces(fabric, conf.withSizes(radix, new boolean[Dim.COUNT]), places);
        for (int d = 0; d < Dim.COUNT; d++) {
            mesh[d] = !wrapped.wraps(d);
        }
        return new KnownPlaces(fabric, conf.withSizes(radix, mesh), places);
    }

    /** Checks whether a cable joins the two ends of a line in a dimension. */
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

    /** Checks whether all cables join neighbours, or three quarters in a torus with the sizes of the file. */
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
        for (int slot = 0; slot < grid.slots(); slot++) {
            for (int d = 0; d < Dim.COUNT; d++) {
                int beside = grid.neighbour(grid.positionOf(slot), Dim.plus(d));
                if (beside != Grid.NONE && grid.slotAt(beside) != Grid.NONE) {
                    grid.connect(d, slot, grid.slotAt(beside));
                }
            }
        }
        new PlacementCompletion(fabric, grid).run();
        for (int slot = 0; slot < grid.slots(); slot++) {
            grid.addLocalPorts(slot);
        }
        return grid.finish(seed);
    }
}
