package io.torussm.testing;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Extended generalized fat trees, with optional damage. Level 0 are leaves. Switches are numbered from the
 * leaves up, with indexes as in the fabric.
 */
public final class TreeSketch {
    private static final int PORTS = 80;

    private final int[] down;
    private final int[] up;

    /** The first switch of each level, and the number of switches. */
    private final int[] firstOfLevel;

    /** The ports of each switch that are taken, from 1 on. */
    private final int[] usedPorts;

    private final List<TreeCable> cables = new ArrayList<>();
    private final BitSet removed = new BitSet();

    /** Switch and port of one host after the other. */
    private final List<Integer> hosts = new ArrayList<>();

    /** A cable from a switch to one of the next higher level, unless a test has connected it otherwise. */
    public record TreeCable(int lower, int lowerPort, int upper, int upperPort) {
        /** Checks whether one end is at a switch. */
        public boolean isAt(int sw) {
            return lower == sw || upper == sw;
        }

        private int sw(CableEnd end) {
            return end == CableEnd.LOWER ? lower : upper;
        }

        private int port(CableEnd end) {
            return end == CableEnd.LOWER ? lowerPort : upperPort;
        }

        private TreeCable withEnd(CableEnd end, int sw, int port) {
            return end == CableEnd.LOWER
                    ? new TreeCable(sw, port, upper, upperPort)
                    : new TreeCable(lower, lowerPort, sw, port);
        }
    }

    /** One end of a cable. */
    public enum CableEnd {
        LOWER,
        UPPER
    }

    /**
     * Makes a tree XGFT(h; hosts, down..; 1, up..).
     *
     * @param hosts hosts of each leaf
     * @param down switches below each switch; index 0 is level 1
     * @param up switches above each switch; index 0 is level 0
     * @param parallel cables for each connection
     */
    public TreeSketch(int hosts, int[] down, int[] up, int parallel) {
        this.down = down.clone();
        this.up = up.clone();
        firstOfLevel = new int[down.length + 2];
        for (int level = 0; level <= down.length; level++) {
            firstOfLevel[level + 1] = firstOfLevel[level] + size(level);
        }
        usedPorts = new int[firstOfLevel[down.length + 1]];
        for (int leaf = 0; leaf < firstOfLevel[1]; leaf++) {
            for (int i = 0; i < hosts; i++) {
                addHost(leaf);
            }
        }
        for (int level = 0; level < down.length; level++) {
            connect(level, parallel);
        }
    }

    /** Returns a k-ary n-tree. */
    public static TreeSketch kAry(int k, int n) {
        int[] all = new int[n - 1];
        Arrays.fill(all, k);
        return new TreeSketch(k, all, all, 1);
    }

    private int size(int level) {
        int size = 1;
        for (int i = 0; i < down.length; i++) {
            size *= i < level ? up[i] : down[i];
        }
        return size;
    }

    /**
     * Connects the switches of a level upwards. The number of a switch within its level is {@code subtree * copies +
     * copy}. The switches above it are of the same copy, and of the subtree that contains its own.
     */
    private void connect(int level, int parallel) {
        int copies = 1;
        for (int i = 0; i < level; i++) {
            copies *= up[i];
        }
        for (int number = 0; number < size(level); number++) {
            int copy = number % copies;
            int subtree = number / copies / down[level];
            for (int i = 0; i < up[level]; i++) {
                int upper = firstOfLevel[level + 1] + (subtree * up[level] + i) * copies + copy;
                for (int c = 0; c < parallel; c++) {
                    link(firstOfLevel[level] + number, upper);
                }
            }
        }
    }

    /** Adds a cable at the next free ports. */
    public TreeSketch link(int a, int b) {
        cables.add(new TreeCable(a, ++usedPorts[a], b, ++usedPorts[b]));
        return this;
    }

    /** Adds a host at the next free port. */
    public TreeSketch addHost(int sw) {
        hosts.add(sw);
        hosts.add(++usedPorts[sw]);
        return this;
    }

    /** Removes the hosts of a switch. */
    public TreeSketch removeHosts(int sw) {
        for (int i = hosts.size() - 2; i >= 0; i -= 2) {
            if (hosts.get(i) == sw) {
                hosts.subList(i, i + 2).clear();
            }
        }
        return this;
    }

    /** Returns the level of a switch, 0 for leaves. */
    public int level(int sw) {
        int level = 0;
        while (firstOfLevel[level + 1] <= sw) {
            level++;
        }
        return level;
    }

    public int levels() {
        return down.length + 1;
    }

    /** Returns the first switch of a level. */
    public int firstSwitch(int level) {
        return firstOfLevel[level];
    }

    public int switches() {
        return usedPorts.length;
    }

    /** Returns the cables between switches, a list that tests may change. */
    public List<TreeCable> cables() {
        return cables;
    }

    /** Removes the cable at an index of {@link #cables}, and returns it. */
    public TreeCable lose(int cable) {
        return cables.remove(cable);
    }

    /** Removes the first cable from a switch up to another one, and returns it. */
    public TreeCable loseBetween(int lower, int upper) {
        return lose(cable -> cable.lower() == lower && cable.upper() == upper);
    }

    /** Removes the first cable upwards from a switch, and returns it. */
    public TreeCable loseUplink(int lower) {
        return lose(cable -> cable.lower() == lower);
    }

    private TreeCable lose(Predicate<TreeCable> isWanted) {
        TreeCable first = cables.stream().filter(isWanted).findFirst().orElseThrow();
        cables.remove(first);
        return first;
    }

    /** Exchanges one end of a cable with one of another cable. */
    public TreeSketch exchange(TreeCable one, CableEnd oneEnd, TreeCable other, CableEnd otherEnd) {
        cables.set(cables.indexOf(one), one.withEnd(oneEnd, other.sw(otherEnd), other.port(otherEnd)));
        cables.set(cables.indexOf(other), other.withEnd(otherEnd, one.sw(oneEnd), one.port(oneEnd)));
        return this;
    }

    /** Removes all cables and hosts of a switch. The switch stays in the fabric, so that indexes do not change. */
    public TreeSketch remove(int sw) {
        removed.set(sw);
        cables.removeIf(cable -> cable.isAt(sw));
        return this;
    }

    /**
     * Removes cables at random, and leaves each switch a number of upward ones.
     *
     * @param kept upward cables that a switch keeps, if it has as many
     * @return the removed cables; fewer than {@code count} if no switch has one to lose
     */
    public List<TreeCable> lose(Random random, int count, int kept) {
        List<TreeCable> lost = new ArrayList<>();
        int[] uplinks = new int[switches()];
        cables.forEach(cable -> uplinks[lower(cable)]++);
        while (lost.size() < count) {
            List<TreeCable> candidates = cables.stream()
                    .filter(cable -> uplinks[lower(cable)] > kept)
                    .toList();
            if (candidates.isEmpty()) {
                break;
            }
            TreeCable cable = candidates.get(random.nextInt(candidates.size()));
            uplinks[lower(cable)]--;
            cables.remove(cable);
            lost.add(cable);
        }
        return lost;
    }

    private int lower(TreeCable cable) {
        return level(cable.lower()) <= level(cable.upper()) ? cable.lower() : cable.upper();
    }

    /** Returns the fabric. */
    public Fabric build() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < usedPorts.length; sw++) {
            int level = level(sw);
            String name = level == 0 ? "leaf" : level == levels() - 1 ? "spine" : "middle";
            sketch.addSwitch(name + "-" + (sw - firstOfLevel[level] + 1), PORTS);
        }
        cables.forEach(cable -> sketch.link(cable.lower(), cable.lowerPort(), cable.upper(), cable.upperPort()));
        for (int i = 0; i < hosts.size(); i += 2) {
            if (!removed.get(hosts.get(i))) {
                sketch.addHost(hosts.get(i), hosts.get(i + 1));
            }
        }
        return sketch.build();
    }
}
