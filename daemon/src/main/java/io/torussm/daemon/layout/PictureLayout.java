package io.torussm.daemon.layout;

import java.util.List;
import java.util.Map;

/**
 * The positions of switches in a picture.
 *
 * @param slots by level, from that of hosts up: capacity in switches; empty if there are no levels
 * @param isTree true for the levels of a tree, in which all cables but wrong ones join neighbouring levels
 * @param places by GUID
 */
public record PictureLayout(List<Integer> slots, boolean isTree, Map<Long, Place> places) {
    public PictureLayout {
        slots = List.copyOf(slots);
        places = Map.copyOf(places);
    }

    /**
     * The place of a switch.
     *
     * @param x with levels the slot, from 0; without, in hops
     * @param y with levels the level, from 0; without, in hops
     */
    public record Place(double x, double y) {}

    /** Checks whether there are levels. */
    public boolean hasLevels() {
        return !slots.isEmpty();
    }
}
