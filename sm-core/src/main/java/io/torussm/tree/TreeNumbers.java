package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The numbers of switches within their levels. If the names of a level differ only in their last number
 * ("leaf-1" to "leaf-16"), it is that number. Otherwise switches are numbered from 0 in the order of their
 * names, then of their GUIDs. Numbers in names are compared by value.
 */
final class TreeNumbers {
    private static final Pattern NUMBER = Pattern.compile("(.*?)(\\d{1,6})");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");

    private final Fabric fabric;
    private final Map<Long, FabricTree.TreePlace> previousPlaces;
    private final int[] numbers;

    private TreeNumbers(Fabric fabric, Map<Long, FabricTree.TreePlace> previous) {
        this.fabric = fabric;
        this.previousPlaces = previous;
        numbers = new int[fabric.switchCount()];
        Arrays.fill(numbers, FabricTree.NO_LEVEL);
    }

    /**
     * Returns the numbers by switch, {@link FabricTree#NO_LEVEL} without a level.
     *
     * @param previous remembered places by node GUID
     */
    static int[] of(Fabric fabric, int[] level, Map<Long, FabricTree.TreePlace> previous) {
        TreeNumbers all = new TreeNumbers(fabric, previous);
        int top = Arrays.stream(level).max().orElse(FabricTree.NO_LEVEL);
        for (int currentLevel = 0; currentLevel <= top; currentLevel++) {
            int wanted = currentLevel;
            int[] row = IntStream.range(0, level.length)
                    .filter(sw -> level[sw] == wanted)
                    .toArray();
            if (!all.numberByName(row)) {
                all.numberByOrder(row, currentLevel);
            }
        }
        return all.numbers;
    }

    /** Assigns the numbers in names. Returns false if names do not differ only in their last number. */
    private boolean numberByName(int[] row) {
        Set<String> stems = new HashSet<>();
        Set<Integer> used = new HashSet<>();
        for (int sw : row) {
            Matcher name = NUMBER.matcher(fabric.nodeName(sw));
            if (!name.matches() || !used.add(Integer.parseInt(name.group(2)))) {
                return false;
            }
            stems.add(name.group(1));
            numbers[sw] = Integer.parseInt(name.group(2));
        }
        return stems.size() == 1;
    }

    /**
     * Assigns numbers. Switches that had a number at this level keep it. Other switches get the lowest free numbers,
     * in order.
     */
    private void numberByOrder(int[] row, int level) {
        Set<Integer> used = new HashSet<>();
        previousPlaces.values().stream()
                .filter(place -> place.level() == level)
                .forEach(place -> used.add(place.number()));
        List<Integer> unnumbered = new ArrayList<>();
        for (int sw : row) {
            FabricTree.TreePlace place = previousPlaces.get(fabric.nodeGuid(sw));
            if (place != null && place.level() == level && place.number() != FabricTree.NO_LEVEL) {
                numbers[sw] = place.number();
            } else {
                unnumbered.add(sw);
            }
        }
        unnumbered.sort(Comparator.comparing((Integer sw) -> sortKey(fabric.nodeName(sw)))
                .thenComparing(fabric::nodeGuid, Long::compareUnsigned));
        int next = 0;
        for (int sw : unnumbered) {
            while (!used.add(next)) {
                next++;
            }
            numbers[sw] = next;
        }
    }

    /** Returns a name in which all numbers have 18 digits, so that names sort by value. */
    private static String sortKey(String name) {
        return DIGITS.matcher(name)
                .replaceAll(digits -> "0".repeat(18 - digits.group().length()) + digits.group());
    }
}
