package io.torussm.daemon;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Fabrics that are no tori, as topology files. GUIDs of switches count up from {@link #SWITCH} in the order of their
 * first cables.
 */
public final class DrawnTopology {
    /** GUID of the first switch. */
    public static final long SWITCH = 0x20_0000;

    private static final int PORTS = 36;

    /** By switch: the peers of its ports, from port 1; empty for a free port. */
    private final Map<String, List<String>> switches = new LinkedHashMap<>();

    private final Map<String, String> hosts = new LinkedHashMap<>();

    /** Cables two switches at the next free port of each. */
    public DrawnTopology link(String a, String b) {
        List<String> atA = ports(a);
        List<String> atB = ports(b);
        atA.add(end(b, atB.size() + 1));
        atB.add(end(a, atA.size()));
        return this;
    }

    /** Adds a host at the next free port of a switch. */
    public DrawnTopology host(String name, String sw) {
        ports(sw).add(end(name, 1));
        hosts.put(name, end(sw, ports(sw).size()));
        return this;
    }

    /** Takes a switch out, with its cables; what hangs on it alone must not be in the fabric. */
    public DrawnTopology remove(String sw) {
        Objects.requireNonNull(switches.get(sw)).clear();
        switches.values().forEach(ports -> ports.replaceAll(end -> end.startsWith("\"" + sw + "\"") ? "" : end));
        return this;
    }

    /** Unplugs all cables between two switches. */
    public DrawnTopology cut(String a, String b) {
        ports(a).replaceAll(end -> end.startsWith("\"" + b + "\"") ? "" : end);
        ports(b).replaceAll(end -> end.startsWith("\"" + a + "\"") ? "" : end);
        return this;
    }

    private List<String> ports(String sw) {
        return switches.computeIfAbsent(sw, any -> new ArrayList<>());
    }

    private static String end(String node, int portNum) {
        return "\"" + node + "\"[" + portNum + "]";
    }

    /** Returns the topology as a file has it. */
    public String text() {
        StringBuilder text = new StringBuilder();
        long guid = SWITCH;
        for (Map.Entry<String, List<String>> sw : switches.entrySet()) {
            List<String> ends = sw.getValue();
            if (!ends.isEmpty()) {
                text.append("switchguid=0x").append(Long.toHexString(guid)).append('\n');
                text.append("Switch " + PORTS + " \"" + sw.getKey() + "\" # \"" + sw.getKey() + "\" enhanced port 0\n");
            }
            for (int i = 0; i < ends.size(); i++) {
                text.append(ends.get(i).isEmpty() ? "" : "[" + (i + 1) + "] " + ends.get(i) + '\n');
            }
            text.append('\n');
            guid++;
        }
        hosts.forEach((name, at) -> text.append("Ca 1 \"" + name + "\" # \"" + name + "\"\n[1] " + at + "\n\n"));
        return text.toString();
    }

    /**
     * Returns a fat tree of three levels: pods of leaves {@code leaf-P-I} with hosts {@code host-N} and {@code
     * middle-P-I}, below {@code top-I}.
     */
    public static DrawnTopology fatTree(int pods, int width) {
        DrawnTopology tree = new DrawnTopology();
        for (int pod = 0; pod < pods; pod++) {
            for (int i = 0; i < width; i++) {
                for (int j = 0; j < width; j++) {
                    tree.link("leaf-" + pod + "-" + i, "middle-" + pod + "-" + j);
                    tree.link("middle-" + pod + "-" + i, "top-" + (i * width + j));
                    tree.host("host-" + ((pod * width + i) * width + j), "leaf-" + pod + "-" + i);
                }
            }
        }
        return tree;
    }

    /** Returns a ring of switches {@code sw-I} with hosts {@code host-I} and chords that have no pattern. */
    public static DrawnTopology irregular(int size) {
        DrawnTopology graph = new DrawnTopology();
        for (int i = 0; i < size; i++) {
            graph.link("sw-" + i, "sw-" + (i + 1) % size);
            int across = (i * i * 7 + 11 * i + size / 3) % size;
            if (i % 2 == 0 && across != i) {
                graph.link("sw-" + i, "sw-" + across);
            }
            graph.host("host-" + i, "sw-" + i);
        }
        return graph;
    }
}
