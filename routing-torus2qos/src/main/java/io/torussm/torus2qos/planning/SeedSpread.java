package io.torussm.torus2qos.planning;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.TorusMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The single losses that leave a torus, or half of it, without a whole seed: a switch, a rack, or a cut into two
 * halves. An SM that starts in such a part and remembers no places refuses to route it. A loss is reported only
 * if another seed could survive it.
 */
public final class SeedSpread {
    private static final String NAMES = "xyz";
    private static final int MAX_LISTED = 3;

    private final Fabric fabric;
    private final TorusMap map;

    /** By switch index: its position. */
    private final Map<Integer, Integer> positions = new HashMap<>();

    /** The switch indexes of each whole seed, that is, of each seed whose switches all have a position. */
    private final List<TreeSet<Integer>> seeds;

    private SeedSpread(Fabric fabric, TorusMap map) {
        this.fabric = fabric;
        this.map = map;
        for (int position = 0; position < map.positions(); position++) {
            if (map.switchAt(position) != TorusMap.NONE) {
                positions.put(map.switchAt(position), position);
            }
        }
        seeds = map.seeds().stream()
                .map(nodes -> nodes.stream().map(fabric::nodeByGuid).collect(Collectors.toCollection(TreeSet::new)))
                .filter(positions.keySet()::containsAll)
                .toList();
    }

    /**
     * Returns a warning for each loss; empty if no loss leaves the torus without a seed, or if no seed is whole.
     *
     * @param racks name of the rack by switch index, empty if it is unknown
     */
    public static List<Finding> warnings(Fabric fabric, TorusMap map, IntFunction<String> racks) {
        SeedSpread spread = new SeedSpread(fabric, map);
        List<String> texts = new ArrayList<>();
        if (!spread.seeds.isEmpty() && map.placedCount() > 1) {
            texts.addAll(spread.switches());
            if (texts.isEmpty()) {
                texts.addAll(spread.racks(racks));
            }
            texts.addAll(spread.halves());
        }
        return texts.stream().map(SmEvent.TORUS_SEED_WARNING::finding).toList();
    }

    /**
     * Returns a warning about the switches that all seeds need; empty without such switches. A switch next to all
     * other switches is not reported, because no seed could avoid it.
     */
    private List<String> switches() {
        List<Integer> common = seeds.get(0).stream()
                .filter(sw -> seeds.stream().allMatch(seed -> seed.contains(sw)))
                .filter(sw -> map.placedCount() > 1 + neighbours(sw))
                .toList();
        return common.isEmpty()
                ? List.of()
                : List.of(warning(
                        "the loss of one switch leaves no seed: " + ofAll() + " "
                                + common.stream()
                                        .limit(MAX_LISTED)
                                        .map(this::place)
                                        .collect(Collectors.joining(" and "))
                                + (common.size() > MAX_LISTED ? " and " + (common.size() - MAX_LISTED) + " more" : ""),
                        "add a seed (next_seed) without " + (common.size() == 1 ? "it" : "them")));
    }

    private String ofAll() {
        return seeds.size() == 1 ? "the only seed that is whole needs" : "all " + seeds.size() + " seeds need";
    }

    private int neighbours(int sw) {
        int center = position(sw);
        return (int) IntStream.range(0, TorusMap.DIMENSIONS)
                .flatMap(d -> IntStream.of(1, -1)
                        .map(step -> map.withCoordinate(
                                center, d, Math.floorMod(map.coordinate(center, d) + step, map.radix(d)))))
                .filter(position -> position != center && map.switchAt(position) != TorusMap.NONE)
                .distinct()
                .count();
    }

    /** Returns a warning for each rack in which every seed has a switch, unless all switches are in this rack. */
    private List<String> racks(IntFunction<String> racks) {
        Set<String> common = new TreeSet<>();
        seeds.get(0).forEach(sw -> common.add(racks.apply(sw)));
        seeds.forEach(seed -> common.removeIf(
                rack -> seed.stream().noneMatch(sw -> racks.apply(sw).equals(rack))));
        common.remove("");
        return common.stream()
                .filter(rack -> IntStream.range(0, fabric.switchCount())
                        .anyMatch(sw -> !racks.apply(sw).equals(rack)))
                .map(rack -> warning(
                        "the loss of rack " + rack + " leaves no seed: " + ofAll() + " a switch in it",
                        "add a seed (next_seed) without a switch in this rack"))
                .toList();
    }

    /** Returns a warning for each dimension in which a straight cut into halves leaves all seeds in one half. */
    private List<String> halves() {
        List<String> texts = new ArrayList<>();
        for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
            int radix = map.radix(d);
            int half = radix / 2;
            int cuts = half > 1 ? radix : 0;
            for (int first = 0; first < cuts; first++) {
                if (isCut(d, first, half) && contains(d, first, half)) {
                    texts.add(half(d, first, half));
                    break;
                }
            }
        }
        return texts;
    }

    /**
     * Checks whether {@code half} coordinates from {@code first} on are one half of a cut. A line that does not wrap
     * can be cut at one place only, so the half is at one of its ends.
     */
    private boolean isCut(int d, int first, int half) {
        return !map.isMesh(d) || first == 0 || first + half == map.radix(d);
    }

    private boolean contains(int d, int first, int count) {
        return seeds.stream()
                .flatMap(Set::stream)
                .allMatch(sw -> Math.floorMod(map.coordinate(position(sw), d) - first, map.radix(d)) < count);
    }

    private String half(int d, int first, int count) {
        int radix = map.radix(d);
        int seedPosition = position(seeds.get(0).first());
        int opposite =
                map.switchAt(map.withCoordinate(seedPosition, d, (first + count + (radix - count - 1) / 2) % radix));
        String name = NAMES.substring(d, d + 1);
        return warning(
                "a cut across " + name + " leaves half of the torus without a seed: all switches of seeds have " + name
                        + " = " + first + " to " + (first + count - 1) % radix,
                "add a seed (next_seed) in the other half"
                        + (opposite == TorusMap.NONE ? "" : ", such as one at " + place(opposite)));
    }

    private int position(int sw) {
        return Objects.requireNonNull(positions.get(sw));
    }

    private String place(int sw) {
        int position = position(sw);
        return IntStream.range(0, TorusMap.DIMENSIONS)
                        .mapToObj(d -> Integer.toString(map.coordinate(position, d)))
                        .collect(Collectors.joining(",", "(", ")"))
                + " " + fabric.name(sw);
    }

    private String warning(String loss, String remedy) {
        return map.file() + ": " + loss + "; " + remedy;
    }
}
