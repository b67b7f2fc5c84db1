package io.torussm.qos;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;

/**
 * Two tables reduced to the size of a device's tables. If all entries fit, they stay unchanged. Otherwise
 * repeated entries are merged, then whole QoS levels move to the table that has room. Only if that is not
 * enough are levels split: a VL with an unequal share still makes progress, a VL without weight does not.
 *
 * <p>The low-priority table of a device that complies with IBA (14.2.5.6, VLArbitrationLowCap) has an entry
 * for each of its data VLs. So levels move on other devices only.
 */
final class TableFit {
    private static final int MAX_WEIGHT = 255;

    private final List<VlWeight> low;
    private final List<VlWeight> high;
    private final int lowCap;
    private final int highCap;
    private final IntUnaryOperator levelOf;

    /** Entries that fit in neither table, by VL. */
    private final TreeMap<Integer, VlWeight> homeless = new TreeMap<>();

    /**
     * Fits tables whose VLs are all operational at the port.
     *
     * @param levelOf QoS level of a VL; VLs of a level must be served equally
     */
    TableFit(List<VlWeight> low, List<VlWeight> high, int lowCap, int highCap, IntUnaryOperator levelOf) {
        this.low = shortened(low, lowCap);
        this.high = shortened(high, highCap);
        this.lowCap = lowCap;
        this.highCap = highCap;
        this.levelOf = levelOf;
        cut(this.low, lowCap, this.high);
        cut(this.high, highCap, this.low);
        houseLevels();
        houseEach();
    }

    /** Returns the low-priority entries, at most as many as the table has. */
    List<VlWeight> low() {
        return low;
    }

    /** Returns the high-priority entries, at most as many as the table has. */
    List<VlWeight> high() {
        return high;
    }

    /** Returns the entries that have weight; if there are too many, one for each VL, with the same ratios as before. */
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
     * Removes levels from a table until the rest fits: first levels that the other table serves, too, the
     * highest first.
     */
    private void cut(List<VlWeight> table, int cap, List<VlWeight> other) {
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
            int out = servedElsewhere.isEmpty() ? levels.last() : servedElsewhere.last();
            for (VlWeight entry : ofLevel(table, out)) {
                table.remove(entry);
                if (!serves(other, entry.vl())) {
                    homeless.put(entry.vl(), entry);
                }
            }
        }
    }

    /** Moves levels without a place to where all of their VLs find room. */
    private void houseLevels() {
        TreeSet<Integer> levels = new TreeSet<>();
        homeless.keySet().forEach(vl -> levels.add(levelOf.applyAsInt(vl)));
        for (int level : levels) {
            List<VlWeight> together = ofLevel(List.copyOf(homeless.values()), level);
            if (low.size() + together.size() <= lowCap) {
                low.addAll(together);
                together.forEach(entry -> homeless.remove(entry.vl()));
            } else if (high.size() + together.size() <= highCap) {
                high.addAll(together);
                together.forEach(entry -> homeless.remove(entry.vl()));
            }
        }
    }

    /**
     * Puts the remaining entries in any free place, and then in the second places of VLs that both tables
     * serve.
     */
    private void houseEach() {
        for (VlWeight entry : homeless.values()) {
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
