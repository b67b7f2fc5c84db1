package io.torussm.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives the P_Keys of one end port their indexes. A key stays where it is, and one whose membership changes too; a new one
 * goes to the lowest entry that is free now, and only if there is none to one that becomes free. Index 0 belongs to one
 * partition, the default one if nothing else is said: whatever else is there makes room.
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
     * Places keys.
     *
     * @param capacity entries that there are, at least 1
     * @param held what the port holds now
     * @param index0 the partition whose key goes to index 0, if the port has it
     * @param wanted different keys, the first of a partition with full membership if it has both; they stay as they are
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

    /** The default key comes before all others: it is what a port talks to the SA with. */
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

    /** The keys at their indexes. */
    PortKeys keys() {
        return keys;
    }

    /** Those for which there is no room. */
    int[] surplus() {
        return surplus;
    }

    /** Whether it is what a port gets that asks for this: most ports of a fabric ask for what the one before did. */
    boolean isOf(int ofCapacity, PortKeys ofHeld, int ofIndex0, int[] ofWanted) {
        return capacity == ofCapacity
                && index0 == PKeys.base(ofIndex0)
                && held.equals(ofHeld)
                && Arrays.equals(wanted, ofWanted);
    }
}
