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
 * A {@code topology.yaml} for Slurm (topology.yaml(5) of 26.05). A torus becomes {@code topology/torus3d}, with one
 * host in each cell. The hosts of one switch are neighbours in x, so that x counts hosts, and y and z count switches.
 * Cells without a reachable host are empty. A fabric without a switch becomes {@code topology/flat}. Other fabrics
 * become a tree of two levels: switches with hosts, and one switch above all of them. On request a torus becomes such a
 * tree, too, or any fabric becomes {@code topology/block}. The hosts of a switch are a block then, and each further
 * block size is twice the previous one.
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
     * Adds the blocks. Slurm allows no block with fewer nodes than the smallest block size. So that size is the number
     * of hosts of the switch with the fewest hosts.
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
        int hostsPerSwitch =
                byPlace.values().stream().mapToInt(List::size).max().orElse(1);
        lines.add("  torus3d:");
        lines.add("    toruses:");
        lines.add("      - name: torus");
        lines.add(INDENT + "dims: " + xyz(sizes.get(0) * hostsPerSwitch, sizes.get(1), sizes.get(2)));
        lines.add(INDENT + "regions:");
        byPlace.forEach((place, hosts) -> {
            lines.add(INDENT + "  - anchor: " + xyz(place.get(0) * hostsPerSwitch, place.get(1), place.get(2)));
            lines.add(INDENT + "    dims: " + xyz(hosts.size(), 1, 1));
            lines.add(INDENT + "    nodes: " + names(hosts));
        });
        lines.add(INDENT + "placements:");
        boxes(sizes, hostsPerSwitch).forEach(box -> lines.add(INDENT + "  - dims: " + xyz(box.x, box.y, box.z)));
    }

    private static String xyz(int x, int y, int z) {
        return "{x: " + x + ", y: " + y + ", z: " + z + "}";
    }

    /** The dimensions of a box: hosts in x, and switches in y and z. */
    private record Box(int x, int y, int z) {
        int hosts() {
            return x * y * z;
        }

        /**
         * Returns half of the surface, in switches. A box near a cube has fewer cables to the outside, so jobs disturb
         * each other less.
         *
         * @param hostsPerSwitch max number of hosts of a switch
         */
        int surface(int hostsPerSwitch) {
            int a = (x + hostsPerSwitch - 1) / hostsPerSwitch;
            return a * y + y * z + a * z;
        }
    }

    /**
     * Returns, for each number of hosts, the boxes of whole switches with the smallest surface, and parts of one
     * switch. Their dimensions divide those of the torus, so that boxes of one type fill the torus.
     *
     * @param hostsPerSwitch max number of hosts of a switch
     */
    private static List<Box> boxes(List<Integer> sizes, int hostsPerSwitch) {
        List<Box> all = new ArrayList<>();
        divisors(hostsPerSwitch).stream()
                .filter(part -> part < hostsPerSwitch)
                .forEach(part -> all.add(new Box(part, 1, 1)));
        for (int a : divisors(sizes.get(0))) {
            for (int b : divisors(sizes.get(1))) {
                for (int c : divisors(sizes.get(2))) {
                    all.add(new Box(a * hostsPerSwitch, b, c));
                }
            }
        }
        Map<Integer, Integer> least = all.stream()
                .collect(Collectors.toMap(Box::hosts, box -> box.surface(hostsPerSwitch), Math::min, TreeMap::new));
        return all.stream()
                .filter(box -> Objects.equals(box.surface(hostsPerSwitch), least.get(box.hosts())))
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
