package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.Torus2QosConf.Seed;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where switches stood in the last plan that was in force, for those that lost the cables by which they are placed: the SLs
 * of their paths were granted by these places. They count only as far as they fit what cables still say.
 */
final class KnownPlaces {
    private static final Pattern PLACE = Pattern.compile("\\((\\d{1,3}),(\\d{1,3}),(\\d{1,3})\\)");

    private final Fabric fabric;
    private final Torus2QosConf conf;

    /** By switch index: its position. */
    private final Map<Integer, Integer> positions = new HashMap<>();

    /**
     * Takes the places of those switches that are there.
     *
     * @param places by node GUID, such as {@code (2,3,0)}
     */
    KnownPlaces(Fabric fabric, Torus2QosConf conf, Map<Long, String> places) {
        this.fabric = fabric;
        this.conf = conf;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int position = position(places.getOrDefault(fabric.nodeGuid(sw), ""));
            if (position >= 0) {
                positions.put(sw, position);
            }
        }
    }

    private int position(String place) {
        Matcher matcher = PLACE.matcher(place);
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

    /** A torus with switches that were found no place for at those that they had; the same if these disagree with it. */
    Torus complete(Torus torus) {
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

    /** The torus as it is known, without a seed to start from; null if cables join switches that are no neighbours in it. */
    @Nullable
    Torus alone() {
        return positions.isEmpty() || !areNeighbours()
                ? null
                : build(positions, conf.seeds().get(0));
    }

    private boolean areNeighbours() {
        Grid grid = new Grid(fabric, conf);
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = FabricFilter.isSwitchLink(fabric, port) ? fabric.nodeOf(fabric.peer(port)) : Grid.NONE;
            int from = positions.getOrDefault(fabric.nodeOf(port), Grid.NONE);
            int to = positions.getOrDefault(far, Grid.NONE);
            boolean isBeside = from == Grid.NONE || to == Grid.NONE;
            for (int group = 0; group < Dim.LOCAL && !isBeside; group++) {
                isBeside = grid.neighbour(from, group) == to;
            }
            if (!isBeside) {
                return false;
            }
        }
        return true;
    }

    private @Nullable Torus build(Map<Integer, Integer> places, Seed seed) {
        Grid grid = new Grid(fabric, conf);
        places.forEach((sw, position) -> grid.place(position, sw));
        for (int slot = 0; slot < grid.slots(); slot++) {
            for (int d = 0; d < Dim.COUNT; d++) {
                int beside = grid.neighbour(grid.positionOf(slot), 2 * d + 1);
                if (beside != Grid.NONE && grid.slotAt(beside) != Grid.NONE) {
                    grid.connect(d, slot, grid.slotAt(beside));
                }
            }
        }
        new Completion(fabric, grid).run();
        for (int slot = 0; slot < grid.slots(); slot++) {
            int sw = grid.switchOf(slot);
            for (int portNum = 0; portNum <= fabric.numPorts(sw); portNum++) {
                if (portNum == 0 || FabricFilter.isHostLink(fabric, fabric.port(sw, portNum))) {
                    grid.addLocalPort(slot, portNum);
                }
            }
        }
        return grid.finish(seed);
    }
}
