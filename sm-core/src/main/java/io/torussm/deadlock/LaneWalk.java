package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A walk of that part of one in-tree where the tree differs from the trees that {@link InTrees} walks with it. Paths
 * from the switches of this part stay within it. For each tree, {@link InTrees} calls {@link #begin}, then {@link #add}
 * and {@link #arrive}, then {@link #walk}. The memory is reused for the next tree.
 */
final class LaneWalk {
    private static final int NONE = Fabric.NONE;

    private final Channels channels;
    private final byte[][] lfts;
    private final DestinationGroups groups;
    private final SlUsage traffic;

    /** The switches of the part: the first {@link #count} elements. */
    private final int[] switches;

    private int count;

    /** [switch] link towards the destination; NONE at the destination, and where the table has no path. */
    private final int[] next;

    /** [switch] number of unvisited neighbours that forward through the switch. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** [ingress class, over all switches] SLs that arrive (bit n: SL n). All zero between walks. */
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

    /** Begins the walk of the tree of a group, with no switches. */
    void begin(int ofGroup) {
        group = ofGroup;
        destination = groups.destination(group);
        count = 0;
    }

    /**
     * Adds a switch to the part.
     *
     * @param entry egress port number, 0xFF without a path
     */
    void add(int sw, int entry) {
        switches[count++] = sw;
        next[sw] = sw == destination ? NONE : channels.link(sw, entry);
        if (next[sw] != NONE) {
            pending[channels.linkTo[next[sw]]]++;
        }
    }

    /** Sets the packets that arrive from switches outside the part. */
    void arrive(int ingress, char sls) {
        arriving[ingress] = sls;
    }

    /** Walks the tree, leaves first. Returns false if some packet does not reach its destination. */
    boolean walk() {
        int lid = groups.members(group)[0];
        int tail = 0;
        for (int i = 0; i < count; i++) {
            inject(switches[i], lid);
            if (pending[switches[i]] == 0) {
                queue[tail++] = switches[i];
            }
        }
        boolean allArrive = true;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            int link = next[sw];
            if (link != NONE) {
                forward(sw, link);
                if (--pending[channels.linkTo[link]] == 0) {
                    queue[tail++] = channels.linkTo[link];
                }
            } else if (sw == destination) {
                allArrive &= deliver(sw);
            } else {
                allArrive &= !drain(sw);
            }
        }
        return tail == count ? allArrive : !clearLoops() && allArrive;
    }

    /** Adds the packets that end ports at a switch send. */
    private void inject(int sw, int dlid) {
        int[] local = channels.localClasses[sw];
        if (local.length > 0) {
            char sls = (char) channels.plan.slMask(sw, dlid);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    /** Records the packets of a switch, and moves them over a link to the next switch. */
    private void forward(int sw, int link) {
        int to = channels.linkTo[link];
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = traffic.slots[out];
        int slot = next[to] != NONE ? next[to] - channels.firstLink[to] : slots - 1;
        char[] seen = traffic.slSets[sw];
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
     * Records the last hop of all LIDs of the group, through local ports of the destination switch. Returns false if a
     * LID has traffic, and its entry is not its delivery port.
     */
    private boolean deliver(int sw) {
        boolean isDelivered = true;
        for (int lid : groups.members(group)) {
            int out = channels.firstOut[sw] + channels.deliveryOut(lid);
            boolean hasTraffic = false;
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                int at = traffic.offset[out] + ingress - channels.firstClass[sw];
                traffic.slSets[sw][at] |= arriving[ingress];
                hasTraffic |= arriving[ingress] != 0;
            }
            isDelivered &= !hasTraffic || (lfts[sw][lid] & 0xff) == channels.subnet.deliveryPort(lid);
        }
        drain(sw);
        return isDelivered;
    }

    /** Removes the packets that arrive at a switch. Returns true if there were any. */
    private boolean drain(int sw) {
        boolean any = false;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            any |= arriving[ingress] != 0;
        }
        Arrays.fill(arriving, channels.firstClass[sw], channels.firstClass[sw + 1], (char) 0);
        return any;
    }

    /**
     * Removes the packets of switches that the walk did not visit, because their entries form a loop. Returns true if
     * there were any packets.
     */
    private boolean clearLoops() {
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
