package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A walk of the part of one in-tree where it differs from the others. Paths from the switches of this part
 * stay within it. The memory is reused for each tree.
 */
final class LaneWalk {
    private static final int NONE = Fabric.NONE;

    private final Channels channels;
    private final byte[][] lfts;
    private final DestinationGroups groups;
    private final SlUsage traffic;

    private final int[] switches;
    private int count;

    /** By switch: the link towards the destination; NONE at the destination, and where the table has no path. */
    private final int[] next;

    /** By switch: neighbours that forward through it and were not yet visited. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** By ingress class, over all switches: SLs that arrive. All zero between walks. */
    private final char[] arriving;

    private int group;
    private int destination;

    LaneWalk(Channels channels, byte[][] lfts, DestinationGroups groups, SlUsage traffic) {
        this.channels = channels;
        this.lfts = lfts;
        this.groups = groups;
        this.traffic = traffic;
        int all = channels.switchCount;
        switches = new int[all];
        next = new int[all];
        pending = new int[all];
        queue = new int[all];
        arriving = new char[channels.firstClass[all]];
    }

    void begin(int ofGroup) {
        group = ofGroup;
        destination = groups.destination(group);
        count = 0;
    }

    /** Adds a switch with its entry. */
    void add(int sw, int entry) {
        switches[count++] = sw;
        next[sw] = sw == destination ? NONE : channels.link(sw, entry);
        if (next[sw] != NONE) {
            pending[channels.linkTo[next[sw]]]++;
        }
    }

    /** Adds packets that come from other switches. */
    void arrive(int ingress, char sls) {
        arriving[ingress] = sls;
    }

    /** Walks the tree. Returns false if some packet does not arrive. */
    boolean walk() {
        int lid = groups.members(group)[0];
        int tail = 0;
        for (int i = 0; i < count; i++) {
            inject(switches[i], lid);
            if (pending[switches[i]] == 0) {
                queue[tail++] = switches[i];
            }
        }
        boolean whole = true;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            int link = next[sw];
            if (link != NONE) {
                forward(sw, link);
                if (--pending[channels.linkTo[link]] == 0) {
                    queue[tail++] = channels.linkTo[link];
                }
            } else if (sw == destination) {
                whole &= deliver(sw);
            } else {
                whole &= !drain(sw);
            }
        }
        return tail == count ? whole : !drainLoops() && whole;
    }

    private void inject(int sw, int dlid) {
        int[] local = channels.localClasses[sw];
        if (local.length > 0) {
            char sls = (char) channels.plan.slMask(sw, dlid);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    private void forward(int sw, int link) {
        int to = channels.linkTo[link];
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = traffic.slots[out];
        int slot = next[to] != NONE ? next[to] - channels.firstLink[to] : slots - 1;
        char[] seen = traffic.seen[sw];
        int at = traffic.offset[out] + slot;
        char all = 0;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            char sls = arriving[ingress];
            if (sls != 0) {
                seen[at] |= sls;
                all |= sls;
                arriving[ingress] = 0;
            }
            at += slots;
        }
        arriving[channels.linkClass[link]] |= all;
    }

    /**
     * Walks the last hop, out of a local port. Returns false if there is traffic and a LID of the group has
     * another entry here.
     */
    private boolean deliver(int sw) {
        boolean right = true;
        for (int lid : groups.members(group)) {
            int out = channels.firstOut[sw] + channels.deliveryOut(lid);
            boolean traveled = false;
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                int at = traffic.offset[out] + ingress - channels.firstClass[sw];
                traffic.seen[sw][at] |= arriving[ingress];
                traveled |= arriving[ingress] != 0;
            }
            right &= !traveled || (lfts[sw][lid] & 0xff) == channels.subnet.deliveryPort(lid);
        }
        drain(sw);
        return right;
    }

    /** Removes the packets of a switch that has no path. Returns whether there were any. */
    private boolean drain(int sw) {
        boolean any = false;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            any |= arriving[ingress] != 0;
        }
        Arrays.fill(arriving, channels.firstClass[sw], channels.firstClass[sw + 1], (char) 0);
        return any;
    }

    /**
     * Removes the packets of switches that were never visited, since their entries form a loop. Returns
     * whether there were any.
     */
    private boolean drainLoops() {
        boolean any = false;
        for (int i = 0; i < count; i++) {
            int sw = switches[i];
            if (pending[sw] != 0) {
                pending[sw] = 0;
                any |= drain(sw);
            }
        }
        return any;
    }
}
