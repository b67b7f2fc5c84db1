package io.torussm.daemon.placement;

import io.torussm.daemon.placement.PlacedHosts.Host;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A {@code topology.yaml} for Slurm (topology.yaml(5) of 26.05). A torus becomes {@code topology/torus3d},
 * with one node in each cell. If a switch has several hosts, they are neighbours in x, so that x counts hosts
 * and y and z count switches. Cells without a reachable host are empty. A fabric without a switch is {@code
 * topology/flat}. Other fabrics are a tree of two levels: switches with hosts, and one above them all. On
 * request a torus is such a tree, too, or any fabric is {@code topology/block}: the hosts of a switch are a
 * block, and larger blocks are powers of two of it.
 */
public final class SlurmTopology {
    private static final String INDENT = "        ";

    /** Maximum number of block sizes in the file. */
    private static final int MAX_SIZES = 16;

    /** The type of topology for Slurm. */
    public enum RequestedTopology {
        /** A torus for a torus, a tree for all other fabrics. */
        FABRIC,
        TREE,
        BLOCK
    }

    private SlurmTopology() {}

    /** Returns the lines of the file. They depend only on the hosts and their places. */
    public static List<String> lines(PlacedHosts placed, RequestedTopology kind) {
        List<String> lines = new ArrayList<>(List.of("# by torus-smctl export slurm"));
        placed.leftOut().forEach(text -> lines.add("# left out: " + printable(text)));
        lines.add("- topology: fabric");
        lines.add("  cluster_default: true");
        List<Integer> sizes = placed.sizes();
        if (placed.onSwitches().isEmpty() && !placed.hosts().isEmpty()) {
            lines.add("  flat: true");
        } else if (kind == RequestedTopology.BLOCK) {
            blocks(placed, lines);
        } else if (sizes == null || kind == RequestedTopology.TREE) {
            tree(placed, lines);
        } else {
            torus(placed, sizes, lines);
        }
        return lines;
    }

    private static Map<String, List<Host>> bySwitch(PlacedHosts placed) {
        return placed.hosts().stream()
                .collect(Collectors.groupingBy(host -> host.leaf().guid(), LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Adds the blocks. No block may have fewer nodes than the smallest block size, which is therefore the
     * size of the smallest block.
     */
    private static void blocks(PlacedHosts placed, List<String> lines) {
        Map<String, List<Host>> bySwitch = bySwitch(placed);
        int base = bySwitch.values().stream().mapToInt(List::size).min().orElse(1);
        lines.add("  block:");
        lines.add("    block_sizes:");
        long size = base;
        for (int i = 0; i < MAX_SIZES && (i == 0 || size <= (long) base * bySwitch.size()); i++, size *= 2) {
            lines.add("      - " + size);
        }
        lines.add("    blocks:");
        bySwitch.forEach((guid, hosts) -> {
            lines.add("      - block: \"" + guid + "\" # "
                    + printable(hosts.get(0).leaf().name()));
            lines.add(INDENT + "nodes: " + names(hosts));
        });
    }

    private static void tree(PlacedHosts placed, List<String> lines) {
        Map<String, List<Host>> bySwitch = bySwitch(placed);
        lines.add("  tree:");
        lines.add("    switches:");
        bySwitch.forEach((guid, hosts) -> {
            lines.add("      - switch: \"" + guid + "\" # "
                    + printable(hosts.get(0).leaf().name()));
            lines.add(INDENT + "nodes: " + names(hosts));
        });
        if (!bySwitch.isEmpty()) {
            lines.add("      - switch: all");
            lines.add(INDENT + "children: \"" + String.join(",", bySwitch.keySet()) + "\"");
        }
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", "?");
    }

    private static String names(List<Host> hosts) {
        return hosts.stream().map(Host::name).collect(Collectors.joining(",", "\"", "\""));
    }

    private static void torus(PlacedHosts placed, List<Integer> sizes, List<String> lines) {
        Map<List<Integer>, List<Host>> byPlace = placed.hosts().stream()
                .filter(host -> !host.place().isEmpty())
                .collect(Collectors.groupingBy(
                        Host::place,
                        () -> new TreeMap<>(Comparator.<List<Integer>>comparingInt(place -> place.get(2))
                                .thenComparing(place -> place.get(1))
                                .thenComparing(place -> place.get(0))),
                        Collectors.toList()));
        placed.hosts().stream()
                .filter(host -> host.place().isEmpty())
                .forEach(host -> lines.add("  # left out: " + host.name() + ": its switch has no place"));
        int each = byPlace.values().stream().mapToInt(List::size).max().orElse(1);
        lines.add("  torus3d:");
        lines.add("    toruses:");
        lines.add("      - name: torus");
        lines.add(INDENT + "dims: " + xyz(sizes.get(0) * each, sizes.get(1), sizes.get(2)));
        lines.add(INDENT + "regions:");
        byPlace.forEach((place, hosts) -> {
            lines.add(INDENT + "  - anchor: " + xyz(place.get(0) * each, place.get(1), place.get(2)));
            lines.add(INDENT + "    dims: " + xyz(hosts.size(), 1, 1));
            lines.add(INDENT + "    nodes: " + names(hosts));
        });
        lines.add(INDENT + "placements:");
        boxes(sizes, each).forEach(box -> lines.add(INDENT + "  - dims: " + xyz(box.x, box.y, box.z)));
    }

    private static String xyz(int x, int y, int z) {
        return "{x: " + x + ", y: " + y + ", z: " + z + "}";
    }

    /** A box with hosts in x, and switches in y and z. */
    private record Box(int x, int y, int z) {
        int hosts() {
            return x * y * z;
        }

        /**
         * Returns the surface, in switches. Boxes near a cube have fewer cables to the outside, so jobs
         * disturb each other less.
         */
        int surface(int each) {
            int a = (x + each - 1) / each;
            return a * y + y * z + a * z;
        }
    }

    /**
     * Returns, for each number of hosts, the boxes of whole switches with the least surface, and parts of one
     * switch. All tile the torus.
     */
    private static List<Box> boxes(List<Integer> sizes, int each) {
        List<Box> all = new ArrayList<>();
        divisors(each).stream().filter(part -> part < each).forEach(part -> all.add(new Box(part, 1, 1)));
        for (int a : divisors(sizes.get(0))) {
            for (int b : divisors(sizes.get(1))) {
                for (int c : divisors(sizes.get(2))) {
                    all.add(new Box(a * each, b, c));
                }
            }
        }
        Map<Integer, Integer> least =
                all.stream().collect(Collectors.toMap(Box::hosts, box -> box.surface(each), Math::min, TreeMap::new));
        return all.stream()
                .filter(box -> Objects.equals(box.surface(each), least.get(box.hosts())))
                .distinct()
                .sorted(Comparator.comparingInt(Box::hosts))
                .toList();
    }

    private static List<Integer> divisors(int number) {
        List<Integer> divisors = new ArrayList<>();
        for (int i = 1; i <= number; i++) {
            if (number % i == 0) {
                divisors.add(i);
            }
        }
        return divisors;
    }
}
