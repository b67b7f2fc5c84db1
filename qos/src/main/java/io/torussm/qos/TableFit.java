package io.torussm.qos;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * The two VL arbitration tables of a port, reduced to the capacity of the device. If all entries fit, they stay
 * unchanged. Otherwise repeated entries are merged, then whole QoS levels move to the table with free entries.
 * If this does not suffice, levels are split: a VL with an unequal share still makes progress, a VL without
 * weight does not.
 *
 * <p>If a device complies with IBA (14.2.5.6, VLArbitrationLowCap), its low-priority table has an entry for each
 * of its data VLs. So levels move only on other devices.
 */
final class TableFit {
    private static final int MAX_WEIGHT = 255;

    private final List<VlWeight> low;
    private final List<VlWeight> high;
    private final int lowCap;
    private final int highCap;
    private final IntUnaryOperator levelOf;

    /** The entries that fit in neither table so far, by VL. */
    private final TreeMap<Integer, VlWeight> unplacedEntries = new TreeMap<>();

    /**
     * Reduces tables.
     *
     * @param low low-priority entries, with operational VLs only
     * @param high high-priority entries, with operational VLs only
     * @param lowCap capacity of the low-priority table, 0 to 64
     * @param highCap capacity of the high-priority table, 0 to 64
     * @param levelOf QoS level of a VL; VLs of a level should have equal weights
     */
    TableFit(List<VlWeight> low, List<VlWeight> high, int lowCap, int highCap, IntUnaryOperator levelOf) {
        this.low = shortened(low, lowCap);
        this.high = shortened(high, highCap);
        this.lowCap = lowCap;
        this.highCap = highCap;
        this.levelOf = levelOf;
        removeLevels(this.low, lowCap, this.high);
        removeLevels(this.high, highCap, this.low);
        placeLevels();
        placeEntries();
    }

    /** Returns the low-priority entries, at most {@code lowCap}. */
    List<VlWeight> low() {
        return low;
    }

    /** Returns the high-priority entries, at most {@code highCap}. */
    List<VlWeight> high() {
        return high;
    }

    /**
     * Returns the entries with weight. If they exceed the capacity, returns one entry for each VL with the sum of
     * its weights, scaled to at most {@value #MAX_WEIGHT}.
     */
    private static List<VlWeight> shortened(List<VlWeight> entries, int cap) {
        List<VlWeight> weighty = new ArrayList<>(entries);
        weighty.removeIf(entry -> entry.weight() == 0);
        if (weighty.size() <= cap) {
            return weighty;
        }
        TreeMap<Integer, Integer> sums = new TreeMap<>();
        weighty.forEach(entry -> sums.merge(entry.vl(), entry.weight(), Integer::sum));
        int heaviest = sums.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        int scale = Math.max(heaviest, MAX_WEIGHT);
        List<VlWeight> merged = new ArrayList<>();
        sums.forEach((vl, sum) -> merged.add(new VlWeight(vl, Math.max(1, sum * MAX_WEIGHT / scale))));
        return merged;
    }

    /**
     * Removes levels from a table until the other entries fit. Levels that the other table also serves are removed
     * first, and of these the highest.
     */
    private void removeLevels(List<VlWeight> table, int cap, List<VlWeight> other) {
        while (table.size() > cap) {
            TreeSet<Integer> levels = new TreeSet<>();
            TreeSet<Integer> servedElsewhere = new TreeSet<>();
            for (VlWeight entry : table) {
                levels.add(levelOf.applyAsInt(entry.vl()));
            }
            for (int level : levels) {
                if (ofLevel(table, level).stream().allMatch(entry -> serves(other, entry.vl()))) {
                    servedElsewhere.add(level);
                }
            }
            int removed = servedElsewhere.isEmpty() ? levels.last() : servedElsewhere.last();
            for (VlWeight entry : ofLevel(table, removed)) {
                table.remove(entry);
                if (!serves(other, entry.vl())) {
                    unplacedEntries.put(entry.vl(), entry);
                }
            }
        }
    }

    /** Moves each removed level to a table in which all its entries fit. */
    private void placeLevels() {
        TreeSet<Integer> levels = new TreeSet<>();
        unplacedEntries.keySet().forEach(vl -> levels.add(levelOf.applyAsInt(vl)));
        for (int level : levels) {
            List<VlWeight> together = ofLevel(List.copyOf(unplacedEntries.values()), level);
            if (low.size() + together.size() <= lowCap) {
                low.addAll(together);
                together.forEach(entry -> unplacedEntries.remove(entry.vl()));
            } else if (high.size() + together.size() <= highCap) {
                high.addAll(together);
                together.forEach(entry -> unplacedEntries.remove(entry.vl()));
            }
        }
    }

    /** Adds the remaining entries to any table with a free entry. Without one, they replace second entries of VLs. */
    private void placeEntries() {
        for (VlWeight entry : unplacedEntries.values()) {
            if (low.size() < lowCap) {
                low.add(entry);
            } else if (high.size() < highCap) {
                high.add(entry);
            } else {
                replaceSecondPlace(entry);
            }
        }
    }

    private void replaceSecondPlace(VlWeight entry) {
        for (int i = high.size() - 1; i >= 0; i--) {
            int vl = high.get(i).vl();
            if (serves(low, vl)
                    || high.stream().filter(other -> other.vl() == vl).count() > 1) {
                high.set(i, entry);
                return;
            }
        }
        for (int i = low.size() - 1; i >= 0; i--) {
            int vl = low.get(i).vl();
            if (low.stream().filter(other -> other.vl() == vl).count() > 1) {
                low.set(i, entry);
                return;
            }
        }
    }

    private List<VlWeight> ofLevel(List<VlWeight> entries, int level) {
        return entries.stream()
                .filter(entry -> levelOf.applyAsInt(entry.vl()) == level)
                .toList();
    }

    private static boolean serves(List<VlWeight> table, int vl) {
        return table.stream().anyMatch(entry -> entry.vl() == vl);
    }
}
