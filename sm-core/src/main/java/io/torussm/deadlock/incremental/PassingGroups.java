package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * The groups of destinations whose packets may pass doubted hops. They are found row by row, in the order of
 * tables in memory.
 */
final class PassingGroups {
    private static final int NONE = Fabric.NONE;

    /** By group: switches, in {@code switches[first[group]]} to {@code switches[first[group + 1] - 1]}. */
    private final int[] first;

    private final int[] switches;

    private PassingGroups(int[] first, int[] switches) {
        this.first = first;
        this.switches = switches;
    }

    /** Returns the switches where packets to a group may make a doubted hop, the group's own switch included. */
    int[] through(int group) {
        return Arrays.copyOfRange(switches, first[group], first[group + 1]);
    }

    /**
     * Finds the groups.
     *
     * @param shape the shape of the doubts
     * @param members LIDs of each group
     * @param doubtful switches with doubts
     * @param doubts doubts by switch
     */
    static PassingGroups of(byte[][] lfts, SlUsage shape, int[][] members, int[] doubtful, char[][] doubts) {
        int[] lids = new int[members.length];
        int[] homes = new int[members.length];
        for (int group = 0; group < members.length; group++) {
            lids[group] = members[group][0];
            homes[group] = shape.channels.subnet.switchOfLid(lids[group]);
        }
        int[] count = new int[members.length + 1];
        int[] found = new int[64];
        int size = 0;
        for (int sw : doubtful) {
            for (int group = 0; group < lids.length; group++) {
                if (homes[group] == sw || leads(lfts, shape, sw, lids[group], homes[group], doubts[sw])) {
                    if (size + 2 > found.length) {
                        found = Arrays.copyOf(found, 2 * found.length);
                    }
                    found[size++] = group;
                    found[size++] = sw;
                    count[group + 1]++;
                }
            }
        }
        Arrays.parallelPrefix(count, Integer::sum);
        int[] next = count.clone();
        int[] switches = new int[size / 2];
        for (int i = 0; i < size; i += 2) {
            switches[next[found[i]]++] = found[i + 1];
        }
        return new PassingGroups(count, switches);
    }

    private static boolean leads(byte[][] lfts, SlUsage shape, int sw, int lid, int home, char[] doubts) {
        Channels channels = shape.channels;
        int link = channels.link(sw, lfts[sw][lid] & 0xff);
        if (link == NONE) {
            return false;
        }
        int to = channels.linkTo[link];
        int onward = to == home ? NONE : channels.link(to, lfts[to][lid] & 0xff);
        int slot = onward == NONE ? channels.degree(to) : onward - channels.firstLink[to];
        return shape.isAny(doubts, sw, link - channels.firstLink[sw], slot);
    }
}
