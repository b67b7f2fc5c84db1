package io.torussm.daemon.layout;

import io.torussm.daemon.layout.PictureLayout.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of successive graphs. A switch that is in two successive graphs keeps its place, and a switch that comes
 * back gets its previous place. Not thread-safe.
 */
public final class LayoutMemory {
    private static final int MAX_SWITCHES = 3000;
    private static final int MAX_LINKS = 60_000;

    private final int maxSwitches;
    private final int maxLinks;

    /** True if the stored places are in levels. */
    private boolean hasLevels;

    /** Places by GUID, also of switches that are not in the last graph. */
    private final Map<Long, Place> placesByGuid = new HashMap<>();

    /** Creates an empty memory. */
    public LayoutMemory() {
        this(MAX_SWITCHES, MAX_LINKS);
    }

    /**
     * Creates an empty memory with bounds, above which all graphs are drawn in levels.
     *
     * @param maxSwitches max number of switches of a graph on a plane
     * @param maxLinks max number of links of a graph on a plane
     */
    LayoutMemory(int maxSwitches, int maxLinks) {
        this.maxSwitches = maxSwitches;
        this.maxLinks = maxLinks;
    }

    /** Computes the places of the switches of a graph, and stores them. */
    public PictureLayout layout(CableGraph graph) {
        Optional<LevelLayout> tree = LevelLayout.ofTree(graph);
        if (tree.isEmpty() && graph.size() <= maxSwitches && graph.links() <= maxLinks) {
            clearUnlessSimilar(graph, false);
            return onPlane(graph);
        }
        clearUnlessSimilar(graph, true);
        return inLevels(graph, tree.orElseGet(() -> LevelLayout.aroundCentre(graph)), tree.isPresent());
    }

    /** Clears the memory if its places are of the other type, or if too few switches of the graph are known. */
    private void clearUnlessSimilar(CableGraph graph, boolean isInLevels) {
        int known = 0;
        for (int v = 0; v < graph.size(); v++) {
            known += placesByGuid.containsKey(graph.guid(v)) ? 1 : 0;
        }
        if (isInLevels != hasLevels || 2 * known < graph.size() || 2 * known < placesByGuid.size()) {
            placesByGuid.clear();
        }
        hasLevels = isInLevels;
    }

    private PictureLayout onPlane(CableGraph graph) {
        @Nullable Place[] known = new Place[graph.size()];
        boolean isNew = false;
        for (int v = 0; v < known.length; v++) {
            known[v] = placesByGuid.get(graph.guid(v));
            isNew |= known[v] == null;
        }
        if (isNew) {
            Place[] places = StressLayout.of(graph, known);
            for (int v = 0; v < places.length; v++) {
                placesByGuid.put(graph.guid(v), places[v]);
            }
        }
        return layout(graph, List.of(), false);
    }

    private PictureLayout inLevels(CableGraph graph, LevelLayout levels, boolean isTree) {
        List<Set<Integer>> taken = new ArrayList<>();
        int[] slots = new int[levels.rows().size()];
        levels.rows().forEach(row -> taken.add(new HashSet<>()));
        for (int v = 0; v < graph.size(); v++) {
            Place place = placesByGuid.get(graph.guid(v));
            if (place != null && place.y() != levels.level(v)) {
                placesByGuid.remove(graph.guid(v));
            }
        }
        placesByGuid.values().forEach(place -> {
            int level = (int) place.y();
            if (level < slots.length) {
                taken.get(level).add((int) place.x());
                slots[level] = Math.max(slots[level], (int) place.x() + 1);
            }
        });
        boolean isEmptyMemory = placesByGuid.isEmpty();
        for (int level = 0; level < slots.length; level++) {
            for (int v : levels.rows().get(level)) {
                if (!placesByGuid.containsKey(graph.guid(v))) {
                    int slot = isEmptyMemory
                            ? slots[level]
                            : nearestFreeSlot(taken.get(level), slots[level], bestPosition(graph, v, slots));
                    taken.get(level).add(slot);
                    slots[level] = Math.max(slots[level], slot + 1);
                    placesByGuid.put(graph.guid(v), new Place(slot, level));
                }
            }
        }
        List<Integer> sizes = new ArrayList<>();
        for (int size : slots) {
            sizes.add(size);
        }
        return layout(graph, sizes, isTree);
    }

    /**
     * Computes the best position of a new switch along its level: the mean position of its neighbours.
     *
     * @param slots number of slots by level
     * @return position from 0 to 1
     */
    private double bestPosition(CableGraph graph, int v, int[] slots) {
        double sum = 0;
        int count = 0;
        for (int next : graph.neighbours(v)) {
            Place place = placesByGuid.get(graph.guid(next));
            if (place != null) {
                sum += LevelLayout.position(place.x(), slots[(int) place.y()]);
                count++;
            }
        }
        return count == 0 ? 1 : sum / count;
    }

    /** Returns the free slot that is nearest to a position from 0 to 1; a new slot if none is free. */
    private static int nearestFreeSlot(Set<Integer> used, int slots, double wanted) {
        int best = slots;
        for (int slot = 0; slot < slots; slot++) {
            boolean isNearer = best == slots
                    || Math.abs(LevelLayout.position(slot, slots) - wanted)
                            < Math.abs(LevelLayout.position(best, slots) - wanted);
            best = !used.contains(slot) && isNearer ? slot : best;
        }
        return best;
    }

    private PictureLayout layout(CableGraph graph, List<Integer> slots, boolean isTree) {
        Map<Long, Place> places = new HashMap<>();
        for (int v = 0; v < graph.size(); v++) {
            Place place = placesByGuid.get(graph.guid(v));
            if (place != null) {
                places.put(graph.guid(v), place);
            }
        }
        return new PictureLayout(slots, isTree, places);
    }
}
