package io.torussm.sim.shape;

import io.torussm.mad.Lids;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.Topology.Node;
import io.torussm.sim.topology.TopologyBuilder;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The description of a torus or mesh. Switches are numbered by x, then y, then z, and z changes first. Switch i has
 * GUID 0x200000 + 0x10 i; its host h has NodeGUID 0x100000000 + 0x100 i + 0x10 h. Ports of a switch in order: for each
 * of x, y, z the cables to the next switch, then those to the previous one. Hosts have the last ports.
 *
 * @param x number of switches in the x dimension, 1 to 255
 * @param y number of switches in the y dimension, 1 to 255
 * @param z number of switches in the z dimension, 1 to 255
 * @param hosts channel adapters at each switch, 0 to 16
 * @param links parallel cables between neighbours, 1 to 8
 * @param mesh dimensions that are not closed to a ring: a subset of "xyz" in this order
 * @param ports ports of each switch, up to 254; 0 for as many as cables in the middle of a torus need
 */
public record TorusSpec(int x, int y, int z, int hosts, int links, String mesh, int ports) {
    private static final int MAX_RADIX = 255;
    private static final int MAX_LIDS = Lids.UNICAST_LAST;
    private static final int MAX_HOSTS = 16;
    private static final int MAX_LINKS = 8;
    private static final int DIMENSIONS = 3;
    private static final String NAMES = "xyz";

    /** Prefix of the text of a spec. */
    public static final String PREFIX = "torus:";

    private static final Pattern SIZE = Pattern.compile(PREFIX + "(\\d{1,5})x(\\d{1,5})(?:x(\\d{1,5}))?");
    private static final Pattern COUNT = Pattern.compile("(hosts|links|ports)=(\\d{1,5})");
    private static final Pattern MESH = Pattern.compile("mesh=([xyz]*)");
    private static final String EXPECTED =
            "; expected torus:XxY[xZ][,hosts=N][,links=N][,mesh=xyz][,ports=N], such as" + " torus:6x5x1,hosts=2";

    /** Rejects values out of range, and a torus with more switches and hosts than LIDs (IBA 4.1.3). */
    public TorusSpec {
        checkRange("x", x, 1, MAX_RADIX);
        checkRange("y", y, 1, MAX_RADIX);
        checkRange("z", z, 1, MAX_RADIX);
        checkRange("hosts", hosts, 0, MAX_HOSTS);
        checkRange("links", links, 1, MAX_LINKS);
        int needed = 2 * DIMENSIONS * links + hosts;
        if (ports != 0) {
            checkRange("ports", ports, needed, NodeInfo.MAX_PORT_NUM);
        }
        int lids = x * y * z * (1 + hosts);
        if (lids > MAX_LIDS) {
            throw new IllegalArgumentException(x * y * z + " switches with " + hosts + " hosts each need " + lids
                    + " LIDs, which is too many; a torus may need " + MAX_LIDS);
        }
        if (!mesh.matches("x?y?z?")) {
            throw new IllegalArgumentException("mesh=" + mesh + ": name each of x, y, z once at most, in this order");
        }
    }

    /** Creates a torus of switches with as many ports as they need. */
    public TorusSpec(int x, int y, int z, int hosts, int links, String mesh) {
        this(x, y, z, hosts, links, mesh, 0);
    }

    private static void checkRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + "=" + value + " is out of range; use " + min + " to " + max);
        }
    }

    /**
     * Parses {@code torus:XxYxZ} (default of Z: 1), followed by {@code hosts=N} (default: 1), {@code links=N} (default:
     * 1), {@code mesh=xyz} (default: none), {@code ports=N} (default: as many as needed).
     *
     * @throws IllegalArgumentException if the text is invalid; the message contains the expected form
     */
    public static TorusSpec parse(String text) {
        String[] parts = text.strip().split(",", -1);
        Matcher size = SIZE.matcher(parts[0].strip());
        if (!size.matches()) {
            throw new IllegalArgumentException("cannot understand \"" + parts[0] + "\"" + EXPECTED);
        }
        int hosts = 1;
        int links = 1;
        String mesh = "";
        int ports = 0;
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            Matcher count = COUNT.matcher(part);
            Matcher open = MESH.matcher(part);
            if (count.matches() && count.group(1).equals("hosts")) {
                hosts = Integer.parseInt(count.group(2));
            } else if (count.matches() && count.group(1).equals("ports")) {
                ports = Integer.parseInt(count.group(2));
            } else if (count.matches()) {
                links = Integer.parseInt(count.group(2));
            } else if (open.matches()) {
                mesh = open.group(1);
            } else {
                throw new IllegalArgumentException("cannot understand \"" + part + "\"" + EXPECTED);
            }
        }
        return new TorusSpec(number(size, 1), number(size, 2), number(size, 3), hosts, links, mesh, ports);
    }

    private static int number(Matcher match, int group) {
        return match.group(group) == null ? 1 : Integer.parseInt(match.group(group));
    }

    /** Returns the fabric: all hosts first, then all switches. */
    public Topology topology() {
        TopologyBuilder builder = new TopologyBuilder();
        int switches = x * y * z;
        Node[] hostNodes = new Node[switches * hosts];
        for (int i = 0; i < hostNodes.length; i++) {
            hostNodes[i] = addHost(builder, i / hosts, i % hosts);
        }
        Node[] switchNodes = new Node[switches];
        for (int sw = 0; sw < switches; sw++) {
            switchNodes[sw] = builder.addSwitch("sw-" + coordinates(sw), guid(sw), numPorts());
        }
        for (int sw = 0; sw < switches; sw++) {
            for (int h = 0; h < hosts; h++) {
                builder.connect(switchNodes[sw], hostPort(h), hostNodes[sw * hosts + h], 1);
            }
            for (int dim = 0; dim < DIMENSIONS; dim++) {
                connectPlus(builder, switchNodes, sw, dim);
            }
        }
        return builder.build();
    }

    private Node addHost(TopologyBuilder builder, int sw, int h) {
        return builder.addHost("host-" + coordinates(sw) + "-" + h, 0x1_0000_0000L + 0x100L * sw + 0x10L * h, 1);
    }

    /** Connects a switch to the next one in a dimension. A ring of two switches has only one set of cables. */
    private void connectPlus(TopologyBuilder builder, Node[] switches, int sw, int dim) {
        int next = neighbour(sw, dim, 1);
        if (next < 0 || (radix(dim) == 2 && coordinate(sw, dim) == 1)) {
            return;
        }
        for (int link = 0; link < links; link++) {
            builder.connect(switches[sw], cablePort(dim, 1, link), switches[next], cablePort(dim, -1, link));
        }
    }

    /** Returns the torus-2QoS.conf of the fabric: two seeds, their links and datelines. */
    public String torus2QosConf() {
        StringBuilder text = new StringBuilder("torus");
        for (int dim = 0; dim < DIMENSIONS; dim++) {
            text.append(' ').append(radix(dim)).append(isMesh(dim) ? "m" : "");
        }
        text.append('\n');
        appendSeed(text, 0);
        int second = switchAt(Math.min(2, x - 1), Math.min(2, y - 1), Math.min(2, z - 1));
        if (second != 0) {
            text.append("next_seed\n");
            appendSeed(text, second);
            for (int dim = 0; dim < DIMENSIONS; dim++) {
                if (radix(dim) > 1) {
                    text.append(NAMES.charAt(dim)).append("_dateline ");
                    text.append(-coordinate(second, dim)).append('\n');
                }
            }
        }
        return text.toString();
    }

    /**
     * Appends a seed: a switch and its neighbours. In a ring of four, the switch opposite is two steps away in both
     * directions, so both neighbours are named.
     */
    private void appendSeed(StringBuilder text, int sw) {
        for (int dim = 0; dim < DIMENSIONS; dim++) {
            int next = neighbour(sw, dim, 1);
            int previous = neighbour(sw, dim, -1);
            if (next >= 0) {
                appendLink(text, dim, 'p', sw, next);
            }
            if (previous >= 0 && (radix(dim) == 4 || next < 0)) {
                appendLink(text, dim, 'm', sw, previous);
            }
        }
    }

    private static void appendLink(StringBuilder text, int dim, char sign, int from, int to) {
        text.append(NAMES.charAt(dim)).append(sign).append("_link 0x");
        text.append(Long.toHexString(guid(from))).append(" 0x");
        text.append(Long.toHexString(guid(to))).append('\n');
    }

    private static long guid(int sw) {
        return 0x20_0000L + 0x10L * sw;
    }

    private int radix(int dim) {
        return dim == 0 ? x : dim == 1 ? y : z;
    }

    private boolean isMesh(int dim) {
        return mesh.indexOf(NAMES.charAt(dim)) >= 0;
    }

    /** Returns the number of the switch at coordinates. */
    private int switchAt(int cx, int cy, int cz) {
        return (cx * y + cy) * z + cz;
    }

    private int coordinate(int sw, int dim) {
        return dim == 0 ? sw / (y * z) : dim == 1 ? sw / z % y : sw % z;
    }

    private String coordinates(int sw) {
        return coordinate(sw, 0) + "-" + coordinate(sw, 1) + "-" + coordinate(sw, 2);
    }

    /**
     * Returns the switch one step away in a dimension; -1 at the edge of a mesh, and in a dimension of one switch.
     *
     * @param step 1 or -1
     */
    private int neighbour(int sw, int dim, int step) {
        int here = coordinate(sw, dim);
        int there = here + step;
        if (radix(dim) == 1 || (isMesh(dim) && (there < 0 || there == radix(dim)))) {
            return -1;
        }
        int stride = dim == 0 ? y * z : dim == 1 ? z : 1;
        return sw + (Math.floorMod(there, radix(dim)) - here) * stride;
    }

    private int cablePort(int dim, int sign, int link) {
        return 1 + (2 * dim + (sign > 0 ? 0 : 1)) * links + link;
    }

    private int numPorts() {
        return ports == 0 ? 2 * DIMENSIONS * links + hosts : ports;
    }

    private int hostPort(int h) {
        return 1 + numPorts() - hosts + h;
    }
}
