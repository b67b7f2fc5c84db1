package io.torussm.sim.shape;

import io.torussm.mad.Lids;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology;
import java.util.Arrays;

/**
 * A fat tree: an extended generalised fat tree XGFT(h; m1..mh; w1..wh) with parallel cables p1..ph. The arrays
 * {@code down} (m), {@code up} (w) and {@code links} (p) have index i - 1 for the cables between level i - 1 and level
 * i.
 *
 * <p>Level 0 has the hosts, level 1 the leaves and level h the spines. A switch of level i has m_i neighbours below and
 * w_(i+1) above. Its level has m_(i+1) ... m_h x w_1 ... w_i switches; those of one group (pod) are consecutive. Ports
 * of a switch in order: for each neighbour below its p_i cables, then for each neighbour above its p_(i+1) cables.
 *
 * <p>Names are {@code leaf-L} and {@code spine-S} with two levels, otherwise {@code sw-LEVEL-NUMBER}; hosts are
 * {@code host-LEAF-NUMBER}. If a host has several leaves, LEAF is the first of them.
 */
final class TreeShape {
    static final String GRAMMAR = "tree:K,LEVELS[,hosts=N][,links=N] or tree:leaves=N,spines=N[,uplinks=N][,hosts=N]"
            + " or tree:down=M1xM2..,up=W1xW2..[,links=P1xP2..] (M1 hosts a leaf)";

    private static final int MAX_LEVELS = 8;
    private static final int MAX_PORTS = NodeInfo.MAX_PORT_NUM;

    private final SpecWords words;
    private final int[] down;
    private final int[] up;
    private final int[] links;

    private TreeShape(SpecWords words, int[] down, int[] up, int[] links) {
        this.words = words;
        this.down = down;
        this.up = up;
        this.links = links;
        if (up.length != down.length || links.length != down.length || down.length > MAX_LEVELS) {
            throw words.error("down=, up= and links= have " + down.length + ", " + up.length + " and " + links.length
                    + " numbers; give each the same, 1 to " + MAX_LEVELS);
        }
        if (up[0] * links[0] > ShapeBuilder.MAX_HOST_PORTS) {
            throw words.error(
                    "a host would need " + up[0] * links[0] + " ports; it may have " + ShapeBuilder.MAX_HOST_PORTS);
        }
        long total = 0;
        for (int level = 1; level <= down.length; level++) {
            total = Math.min(total + switches(level), Integer.MAX_VALUE);
        }
        words.checkLids(total, hosts() * up[0] * links[0]);
    }

    static Topology read(SpecWords words) {
        if (words.size() > 0) {
            return kAry(words).topology();
        }
        return (words.has("leaves") ? twoLevels(words) : byVectors(words)).topology();
    }

    private static TreeShape kAry(SpecWords words) {
        words.checkSize(2, 2);
        int k = words.number(0, "K", 1, MAX_PORTS);
        int levels = words.number(1, "LEVELS", 1, MAX_LEVELS);
        int[] down = filled(levels, k);
        int[] up = filled(levels, k);
        int[] links = filled(levels, words.option("links", 1, 1, MAX_PORTS));
        down[0] = words.option("hosts", k, 0, MAX_PORTS);
        up[0] = 1;
        links[0] = 1;
        return new TreeShape(words, down, up, links);
    }

    private static TreeShape twoLevels(SpecWords words) {
        int leaves = words.option("leaves", 0, 1, MAX_PORTS);
        int spines = words.option("spines", 0, 1, MAX_PORTS);
        int uplinks = words.option("uplinks", spines, 1, MAX_PORTS);
        int hosts = words.option("hosts", 1, 0, MAX_PORTS);
        if (uplinks % spines != 0) {
            throw words.error("uplinks=" + uplinks + " of each leaf cannot be the same for " + spines
                    + " spines; give a multiple of " + spines);
        }
        return new TreeShape(words, new int[] {hosts, leaves}, new int[] {1, spines}, new int[] {1, uplinks / spines});
    }

    private static TreeShape byVectors(SpecWords words) {
        if (!words.has("down") || !words.has("up")) {
            throw words.error("a tree needs K,LEVELS, or leaves= and spines=, or down= and up=");
        }
        int[] down = words.vector("down", new int[0], 0, MAX_PORTS);
        int[] up = words.vector("up", new int[0], 1, MAX_PORTS);
        int[] links = words.vector("links", filled(down.length, 1), 1, MAX_PORTS);
        if (Arrays.stream(down).skip(1).anyMatch(number -> number == 0)) {
            throw words.error("down= may have a 0 for hosts only, in the first place");
        }
        return new TreeShape(words, down, up, links);
    }

    private static int[] filled(int length, int value) {
        int[] vector = new int[length];
        Arrays.fill(vector, value);
        return vector;
    }

    /** Returns the number of switches of a level in one group: w_1 ... w_level. */
    private long above(int level) {
        return product(up, 0, level);
    }

    /** Returns the number of switches of a level, at most 49,152. */
    private long switches(int level) {
        return capped(product(down, level, down.length) * above(level));
    }

    private long hosts() {
        return product(down, 0, down.length);
    }

    /** Returns a product, at most 49,152: more than a subnet can have, which {@link SpecWords#checkLids} rejects. */
    private static long product(int[] factors, int from, int to) {
        long product = 1;
        for (int i = from; i < to; i++) {
            product = capped(product * factors[i]);
        }
        return product;
    }

    private static long capped(long value) {
        return Math.min(value, Lids.UNICAST_LAST + 1L);
    }

    /** Returns the number of ports of the switches of a level. */
    private int ports(int level) {
        long above = level == up.length ? 0 : (long) up[level] * links[level];
        return words.checkedPorts((long) down[level - 1] * links[level - 1] + above);
    }

    private Topology topology() {
        ShapeBuilder builder = new ShapeBuilder();
        int hostsOfLeaf = Math.max(1, down[0]);
        for (int host = 0; host < hosts(); host++) {
            // A group of hosts has up[0] consecutive leaves, of which the first gives the name.
            int leaf = host / hostsOfLeaf * up[0];
            builder.addHost("host-" + leaf + "-" + host % hostsOfLeaf, up[0] * links[0]);
        }
        int first = 0;
        for (int level = 1; level <= down.length; level++) {
            for (int sw = 0; sw < switches(level); sw++) {
                builder.addSwitch(name(level, sw), ports(level));
            }
            cableDown(builder, level, first);
            first += (int) switches(level);
        }
        return builder.build();
    }

    private String name(int level, int sw) {
        if (down.length != 2) {
            return "sw-" + level + "-" + sw;
        }
        return (level == 1 ? "leaf-" : "spine-") + sw;
    }

    /**
     * Connects the switches of a level to the level below.
     *
     * @param first number of the first switch of the level
     */
    private void cableDown(ShapeBuilder builder, int level, int first) {
        int width = (int) above(level);
        int widthBelow = (int) above(level - 1);
        int firstBelow = level == 1 ? 0 : first - (int) switches(level - 1);
        for (int sw = 0; sw < switches(level); sw++) {
            int group = sw / width;
            int parent = sw % width / widthBelow;
            for (int child = 0; child < down[level - 1]; child++) {
                // Switch sw is connected to one switch of each group below: the one whose number in its group is sw
                // modulo the width of such a group. That switch has its parents in the order of sw / widthBelow.
                int below = (group * down[level - 1] + child) * widthBelow + sw % widthBelow;
                for (int link = 0; link < links[level - 1]; link++) {
                    int port = 1 + child * links[level - 1] + link;
                    int high = 1 + parent * links[level - 1] + link;
                    if (level == 1) {
                        builder.attach(below, high, sw, port);
                    } else {
                        builder.cable(first + sw, port, firstBelow + below, down[level - 2] * links[level - 2] + high);
                    }
                }
            }
        }
    }
}
