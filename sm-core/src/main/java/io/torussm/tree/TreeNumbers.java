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
 * The numbers of switches within their levels. If the names of a level differ in their last number alone ("leaf-1" to
 * "leaf-16"), it is that number. Else switches are counted from 0 in the order of their names, numbers in those by
 * value, and of their GUIDs.
 */
final class TreeNumbers {
    private static final Pattern NUMBER = Pattern.compile("(.*?)(\\d{1,6})");
    private static final Pattern DIGITS = Pattern.compile("\\d{1,18}");

    private final Fabric fabric;
    private final Map<Long, FabricTree.Known> before;
    private final int[] numbers;

    private TreeNumbers(Fabric fabric, Map<Long, FabricTree.Known> previous) {
        this.fabric = fabric;
        this.before = previous;
        numbers = new int[fabric.switchCount()];
        Arrays.fill(numbers, FabricTree.NO_LEVEL);
    }

    static int[] of(Fabric fabric, int[] level, Map<Long, FabricTree.Known> previous) {
        TreeNumbers all = new TreeNumbers(fabric, previous);
        int top = Arrays.stream(level).max().orElse(FabricTree.NO_LEVEL);
        for (int at = 0; at <= top; at++) {
            int wanted = at;
            int[] row = IntStream.range(0, level.length)
                    .filter(sw -> level[sw] == wanted)
                    .toArray();
            if (!all.byName(row)) {
                all.byOrder(row, at);
            }
        }
        return all.numbers;
    }

    private boolean byName(int[] row) {
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
     * Assigns numbers. Switches that had a number at this level keep it; others get the lowest that are free, in order.
     */
    private void byOrder(int[] row, int level) {
        Set<Integer> used = new HashSet<>();
        before.values().stream().filter(known -> known.level() == level).forEach(known -> used.add(known.number()));
        List<Integer> rest = new ArrayList<>();
        for (int sw : row) {
            FabricTree.Known known = before.get(fabric.nodeGuid(sw));
            if (known != null && known.level() == level && known.number() != FabricTree.NO_LEVEL) {
                numbers[sw] = known.number();
            } else {
                rest.add(sw);
            }
        }
        rest.sort(Comparator.comparing((Integer sw) -> sortKey(fabric.nodeName(sw)))
                .thenComparing(fabric::nodeGuid, Long::compareUnsigned));
        int next = 0;
        for (int sw : rest) {
            while (!used.add(next)) {
                next++;
            }
            numbers[sw] = next;
        }
    }

    /** Returns a name whose numbers have equally many digits. */
    private static String sortKey(String name) {
        return DIGITS.matcher(name)
                .replaceAll(digits -> "0".repeat(18 - digits.group().length()) + digits.group());
    }
}
