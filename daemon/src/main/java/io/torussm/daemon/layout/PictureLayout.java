package io.torussm.daemon.layout;

import java.util.List;
import java.util.Map;

/**
 * The positions of switches in a picture.
 *
 * @param slots number of slots by level, from the level of the leaves up; empty if the switches are not in levels
 * @param isTree true if the levels are those of a tree, in which all cables except wrong ones join adjacent levels
 * @param places places by GUID of the switch
 */
public record PictureLayout(List<Integer> slots, boolean isTree, Map<Long, Place> places) {
    public PictureLayout {
        slots = List.copyOf(slots);
        places = Map.copyOf(places);
    }

    /**
     * The place of a switch.
     *
     * @param x in a layout with levels, slot from 0; otherwise a coordinate in hops
     * @param y in a layout with levels, level from 0; otherwise a coordinate in hops
     */
    public record Place(double x, double y) {}

    /** Checks whether the switches are in levels. */
    public boolean hasLevels() {
        return !slots.isEmpty();
    }
}
