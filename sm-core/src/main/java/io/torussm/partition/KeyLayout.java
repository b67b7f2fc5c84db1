package io.torussm.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The assignment of indexes to the P_Keys of one end port. A key keeps its index, even if its membership
 * changes. A new key gets the lowest free entry, or else one that becomes free. Index 0 is reserved for one
 * partition, by default the default partition; another key there moves.
 */
final class KeyLayout {
    private final int capacity;
    private final PortKeys held;
    private final int index0;
    private final int[] wanted;
    private final int[] placed;
    private final int[] surplus;
    private final PortKeys keys;
    private boolean isIndex0Taken;

    /**
     * Assigns indexes.
     *
     * @param capacity number of entries, at least 1
     * @param held the current keys of the port
     * @param index0 the partition whose key goes to index 0, if the port has it
     * @param wanted different keys, the first of a partition with full membership if it has both; not
     *     modified
     */
    KeyLayout(int capacity, PortKeys held, int index0, int[] wanted) {
        this.capacity = capacity;
        this.held = held;
        this.index0 = PKeys.base(index0);
        this.wanted = wanted;
        this.placed = new int[capacity];
        this.surplus = place();
        this.keys = PortKeys.of(placed);
    }

    private int[] place() {
        List<Integer> waiting = new ArrayList<>();
        for (int pKey : wanted) {
            if (PKeys.base(pKey) == index0 && placed[0] == 0) {
                placed[0] = pKey;
            } else {
                waiting.add(pKey);
            }
        }
        isIndex0Taken = placed[0] != 0;
        waiting.removeIf(pKey -> PKeys.base(pKey) == PKeys.DEFAULT && isPlaced(pKey));
        waiting.removeIf(pKey -> stays(held.indexOf(pKey), pKey));
        waiting.removeIf(pKey -> stays(held.indexOf(pKey ^ PKeys.FULL), pKey));
        waiting.removeIf(pKey -> fills(pKey, true));
        waiting.removeIf(pKey -> fills(pKey, false));
        return waiting.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Places the default key before all others: the port needs it for the SA. */
    private boolean isPlaced(int pKey) {
        return stays(held.indexOf(pKey), pKey)
                || stays(held.indexOf(pKey ^ PKeys.FULL), pKey)
                || fills(pKey, true)
                || fills(pKey, false);
    }

    private boolean stays(int index, int pKey) {
        boolean isFree = index >= 0 && index < placed.length && placed[index] == 0 && !(index == 0 && isIndex0Taken);
        if (isFree) {
            placed[index] = pKey;
        }
        return isFree;
    }

    private boolean fills(int pKey, boolean isFreeNow) {
        for (int i = 0; i < placed.length; i++) {
            if (placed[i] == 0 && !(isFreeNow && held.at(i) != 0)) {
                placed[i] = pKey;
                return true;
            }
        }
        return false;
    }

    /** Returns the keys at their indexes. */
    PortKeys keys() {
        return keys;
    }

    /** Returns the keys for which there is no room. */
    int[] surplus() {
        return surplus;
    }

    /** Checks whether this layout results from these parameters, which most ports of a fabric share. */
    boolean isFor(int ofCapacity, PortKeys ofHeld, int ofIndex0, int[] ofWanted) {
        return capacity == ofCapacity
                && index0 == PKeys.base(ofIndex0)
                && held.equals(ofHeld)
                && Arrays.equals(wanted, ofWanted);
    }
}
