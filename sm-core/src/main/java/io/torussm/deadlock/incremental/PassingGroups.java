package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * The switches with a doubted hop on the paths to each group of destinations. A doubted hop is a set of SLs that may
 * have lost its packets ({@link DoubtedSls}). Tables are read row by row, in the order of memory. Immutable.
 */
final class PassingGroups {
    private static final int NONE = Fabric.NONE;

    /** [group] index of its first switch in {@link #switches}; one element more than groups. */
    private final int[] first;

    private final int[] switches;

    private PassingGroups(int[] first, int[] switches) {
        this.first = first;
        this.switches = switches;
    }

    /** Returns the switches where packets to a group may make a doubted hop, the group's own switch included. */
    int[] switchesOf(int group) {
        return Arrays.copyOfRange(switches, first[group], first[group + 1]);
    }

    /**
     * Finds the switches of all groups.
     *
     * @param lfts [switch][LID] egress port number
     * @param shape traffic whose sets are indexed like the doubts
     * @param members [group] LIDs
     * @param doubtful switches with doubts
     * @param doubts [switch] sets of SLs, indexed as in {@code shape}; null for a switch without doubts
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
                if (homes[group] == sw || isDoubtedHop(lfts, shape, sw, lids[group], homes[group], doubts[sw])) {
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

    /** Checks whether packets to a LID make a doubted hop at a switch that forwards them to another switch. */
    private static boolean isDoubtedHop(byte[][] lfts, SlUsage shape, int sw, int lid, int home, char[] doubts) {
        Channels channels = shape.channels;
        int link = channels.link(sw, lfts[sw][lid] & 0xff);
        if (link == NONE) {
            return false;
        }
        int to = channels.linkTo[link];
        int nextLink = to == home ? NONE : channels.link(to, lfts[to][lid] & 0xff);
        int slot = nextLink == NONE ? channels.degree(to) : nextLink - channels.firstLink[to];
        return shape.hasPackets(doubts, sw, link - channels.firstLink[sw], slot);
    }
}
