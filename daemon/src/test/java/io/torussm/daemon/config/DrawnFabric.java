package io.torussm.daemon.config;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A fabric of any shape, drawn from a seed: tori, trees, stars, dumbbells, rings, regular and irregular graphs, with
 * lost cables, parallel ones and some from a switch to itself, in one or two parts; with no host, several at a switch,
 * or ones with two ports.
 */
final class DrawnFabric {
    private static final int SPARE_PORTS = 2;

    private final Random random;

    /** Ends of cables between switches, by number of the switch before {@link #place} shuffles them. */
    private final List<int[]> cables = new ArrayList<>();

    /** By host: the switch of each of its ports. */
    private final List<int[]> hosts = new ArrayList<>();

    private final List<Integer> place;

    /** Switches before this one have no hosts, so that some trees are as trees should be. */
    private int firstWithHosts;

    private final String torusConf;

    /** Its shape, for messages. */
    final String shape;

    final Subnet subnet;

    /**
     * Draws a fabric.
     *
     * @param max switches that it may have, 1 or more
     */
    DrawnFabric(Random random, int max) {
        this.random = random;
        int switches = random.nextInt(60) == 0 ? 0 : 1 + random.nextInt(max);
        int[] radix = radix(switches);
        int kind = Math.max(0, random.nextInt(9) - 2);
        switches = kind == 0 && switches > 0 ? radix[0] * radix[1] * radix[2] : switches;
        int parts = kind > 0 && switches > 3 && random.nextInt(12) == 0 ? 2 : 1;
        for (int part = 0; part < parts; part++) {
            int first = part * switches / parts;
            cable(part == 0 ? kind : 1 + random.nextInt(6), first, (part + 1) * switches / parts - first, radix);
        }
        addFaults(switches);
        addHosts(switches);
        int lmc = Math.max(0, random.nextInt(6) - 3);
        place = IntStream.range(0, switches).boxed().collect(Collectors.toList());
        Collections.shuffle(place, random);
        torusConf = kind == 0 && switches > 0
                ? torusConf(radix)
                : "torus 3 3 1\nxp_link 0x200000 0x200001\nyp_link 0x200000 0x200002\n";
        subnet = Subnets.of(build(switches), lmc);
        shape = "kind " + kind + ", " + parts + " parts, " + switches + " switches, " + cables.size() + " cables, "
                + hosts.size() + " hosts, LMC " + lmc;
    }

    /** Returns three factors of a number that is at most the given one. */
    private int[] radix(int switches) {
        int x = 1 + random.nextInt(Math.max(1, Math.min(6, switches)));
        int y = 1 + random.nextInt(Math.max(1, Math.min(5, switches / x)));
        int z = random.nextInt(2) == 0 ? 1 : 1 + random.nextInt(Math.max(1, Math.min(5, switches / x / y)));
        return new int[] {x, y, z};
    }

    private void cable(int kind, int first, int count, int[] radix) {
        switch (kind) {
            case 0 -> torus(radix);
            case 1 -> regular(first, count, 2 + random.nextInt(4));
            case 2 -> tree(first, count, 1 + random.nextInt(3));
            case 3 -> IntStream.range(1, count).forEach(sw -> cables.add(new int[] {first, first + sw}));
            case 4 -> dumbbell(first, count);
            case 5 -> {
                for (int sw = random.nextInt(3) == 0 ? 1 : 0; sw < count && count > 2; sw++) {
                    cables.add(new int[] {first + sw, first + (sw + 1) % count});
                }
            }
            default -> {
                for (int sw = 1; sw < count; sw++) {
                    cables.add(new int[] {first + sw, first + random.nextInt(sw)});
                }
                for (int more = random.nextInt(count + 1); more > 0; more--) {
                    cables.add(new int[] {first + random.nextInt(count), first + random.nextInt(count)});
                }
            }
        }
    }

    private void torus(int[] radix) {
        int count = radix[0] * radix[1] * radix[2];
        for (int d = 0, step = 1; d < 3; step *= radix[d++]) {
            for (int sw = 0; sw < count; sw++) {
                int at = sw / step % radix[d];
                if (radix[d] > 2 || at + 1 < radix[d]) {
                    cables.add(new int[] {sw, sw + ((at + 1) % radix[d] - at) * step});
                }
            }
        }
    }

    /** Adds cables so that each switch has equally many ends. Cables that would end where they begin are left out. */
    private void regular(int first, int count, int degree) {
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < count * degree; i++) {
            ends.add(first + i / degree);
        }
        Collections.shuffle(ends, random);
        for (int i = 0; i + 1 < ends.size(); i += 2) {
            if (!ends.get(i).equals(ends.get(i + 1))) {
                cables.add(new int[] {ends.get(i), ends.get(i + 1)});
            }
        }
    }

    /** Ranks of equal width, or nearly so; each switch has a cable to all of the rank above. */
    private void tree(int first, int count, int ranksBelow) {
        int width = Math.max(1, count / (ranksBelow + 1));
        firstWithHosts = first == 0 && random.nextInt(4) > 0 ? (count - 1) / width * width : 0;
        for (int sw = width; sw < count; sw++) {
            for (int above = (sw / width - 1) * width; above < sw / width * width; above++) {
                cables.add(new int[] {first + sw, first + above});
            }
        }
    }

    private void dumbbell(int first, int count) {
        int half = count / 2;
        for (int a = 0; a < count; a++) {
            for (int b = a + 1; b < count; b++) {
                if (a < half == b < half && random.nextInt(3) > 0 || a == 0 && b == half) {
                    cables.add(new int[] {first + a, first + b});
                }
            }
        }
    }

    /** Loses cables, doubles some, and puts one where it makes no sense. */
    private void addFaults(int switches) {
        int lost = random.nextInt(3) == 0 ? random.nextInt(15) : 0;
        cables.removeIf(cable -> random.nextInt(100) < lost);
        int parallel = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
        for (int[] cable : List.copyOf(cables)) {
            for (int more = random.nextInt(100) < parallel ? 1 + random.nextInt(2) : 0; more > 0; more--) {
                cables.add(cable);
            }
        }
        if (switches > 0 && random.nextInt(8) == 0) {
            int sw = random.nextInt(switches);
            cables.add(new int[] {sw, sw});
        }
        if (random.nextBoolean()) {
            Collections.shuffle(cables, random);
        }
    }

    private void addHosts(int switches) {
        int max = random.nextInt(20) == 0 ? 0 : 1 + random.nextInt(3);
        int bare = random.nextInt(3) == 0 ? random.nextInt(80) : 0;
        for (int sw = 0; sw < switches; sw++) {
            for (int host = random.nextInt(100) < bare || sw < firstWithHosts ? 0 : random.nextInt(max + 1);
                    host > 0;
                    host--) {
                hosts.add(random.nextInt(10) == 0 ? new int[] {sw, random.nextInt(switches)} : new int[] {sw});
            }
        }
    }

    private String torusConf(int[] radix) {
        StringBuilder text = new StringBuilder("torus");
        for (int d = 0; d < 3; d++) {
            text.append(' ').append(radix[d]).append(radix[d] == 2 ? "m" : "");
        }
        text.append('\n');
        for (int d = 0, step = 1; d < 3; step *= radix[d++]) {
            String link = "xyz".charAt(d) + "%s_link 0x%x 0x%x%n";
            if (radix[d] > 1) {
                text.append(String.format(link, "p", guid(place.get(0)), guid(place.get(step))));
            }
            if (radix[d] == 4) {
                text.append(String.format(link, "m", guid(place.get(0)), guid(place.get(3 * step))));
            }
        }
        return text.toString();
    }

    private static long guid(int sw) {
        return 0x20_0000L + sw;
    }

    private Fabric build(int switches) {
        Sketch sketch = new Sketch();
        List<List<Integer>> free = new ArrayList<>();
        int[] degrees = new int[switches];
        cables.forEach(cable -> IntStream.of(cable).forEach(sw -> degrees[sw]++));
        hosts.forEach(ends -> IntStream.of(ends).forEach(sw -> degrees[sw]++));
        boolean isShuffled = random.nextBoolean();
        int vlCap = random.nextInt(6) == 0 ? 1 + random.nextInt(5) : 4;
        boolean isMixed = random.nextInt(10) == 0;
        boolean isOld = random.nextInt(40) == 0;
        int[] numberOf = new int[switches];
        IntStream.range(0, switches).forEach(sw -> numberOf[place.get(sw)] = sw);
        for (int i = 0; i < switches; i++) {
            int ports = degrees[numberOf[i]] + random.nextInt(SPARE_PORTS + 1) + (random.nextInt(100) == 0 ? 150 : 0);
            sketch.vlCap(isMixed ? 1 + random.nextInt(5) : vlCap).slMapping(!isOld || random.nextInt(4) > 0);
            sketch.addSwitch("sw-" + numberOf[i], ports);
            List<Integer> numbers = IntStream.rangeClosed(1, ports).boxed().collect(Collectors.toList());
            if (isShuffled) {
                Collections.shuffle(numbers, random);
            }
            free.add(numbers);
        }
        sketch.vlCap(vlCap).slMapping(true);
        for (int[] cable : cables) {
            int a = place.get(cable[0]);
            int b = place.get(cable[1]);
            sketch.link(a, free.get(a).remove(0), b, free.get(b).remove(0));
        }
        for (int[] ends : hosts) {
            sketch.addHost(IntStream.of(ends)
                    .mapToObj(sw ->
                            new int[] {place.get(sw), free.get(place.get(sw)).remove(0)})
                    .toArray(int[][]::new));
        }
        if (switches == 0 || random.nextInt(40) == 0) {
            sketch.addHostPair();
        }
        return sketch.build();
    }

    /**
     * Returns the text of a file for an engine; most texts name existing devices.
     *
     * @param key key of the setting
     */
    String file(String key) {
        Fabric fabric = subnet.fabric();
        if (key.equals("torus_config")) {
            return torusConf;
        } else if (key.equals("lfts_file")) {
            return tables();
        }
        StringBuilder text = new StringBuilder();
        boolean isMatrix = key.equals("lid_matrix_dump_file");
        for (int node = 0; node < fabric.nodeCount(); node++) {
            boolean isSwitch = fabric.isSwitch(node);
            if (isSwitch && isMatrix) {
                text.append(String.format("Switch: guid 0x%x%n", fabric.nodeGuid(node)));
                for (int to = 0; to < fabric.switchCount(); to++) {
                    text.append(String.format("0x%04x:", subnet.lid(fabric.port(to, 0))));
                    IntStream.rangeClosed(0, fabric.numPorts(node))
                            .forEach(any -> text.append(String.format(" %02x", random.nextInt(3))));
                    text.append('\n');
                }
            } else if (!isMatrix && random.nextInt(isSwitch ? 4 : 2) == 0) {
                long guid = isSwitch ? fabric.nodeGuid(node) : fabric.portGuid(fabric.port(node, 1));
                text.append(String.format("0x%x%s%n", guid, numbers(key, isSwitch ? fabric.numPorts(node) : 1)));
            }
        }
        return text.toString();
    }

    private String numbers(String key, int ports) {
        int port = 1 + random.nextInt(Math.max(1, ports));
        return switch (key) {
            case "ids_guid_file" -> " " + random.nextInt(20);
            case "port_search_ordering_file", "port_prof_ignore_file" -> " " + port;
            case "hop_weights_file" -> " " + port + " " + (1 + random.nextInt(5));
            default -> "";
        };
    }

    /** Returns tables with mostly shortest paths, and some random entries. */
    private String tables() {
        Fabric fabric = subnet.fabric();
        StringBuilder text = new StringBuilder();
        int faults = random.nextInt(3);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            text.append(String.format("Unicast lids [0-9] of switch Lid 1 guid 0x%x ('a'):%n", fabric.nodeGuid(sw)));
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int to = subnet.switchOfLid(lid);
                int port = to == Fabric.NONE ? 255 : to == sw ? subnet.deliveryPort(lid) : toward(sw, to);
                port = random.nextInt(1000) < faults ? random.nextInt(fabric.numPorts(sw) + 1) : port;
                text.append(String.format("0x%04x %03d%n", lid, port));
            }
        }
        return text.toString();
    }

    /** Returns a port on some way, found by a search from the destination; 255 if there is none. */
    private int toward(int from, int to) {
        Fabric fabric = subnet.fabric();
        List<Integer> reached = new ArrayList<>(List.of(to));
        for (int i = 0; i < reached.size(); i++) {
            for (int portNum = 1; portNum <= fabric.numPorts(reached.get(i)); portNum++) {
                int far = fabric.peer(fabric.port(reached.get(i), portNum));
                int next = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
                if (next == from) {
                    return fabric.portNum(far);
                } else if (next != Fabric.NONE && fabric.isSwitch(next) && !reached.contains(next)) {
                    reached.add(next);
                }
            }
        }
        return 255;
    }
}
