package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.InTrees;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.transition.MixedDestinations;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A part of the in-tree of one destination: certain switches (the roots), all switches that forward through
 * them, and optionally the next hop after these. It moves sets of SLs as {@link InTrees} does, but only of
 * packets injected in this part, and reports them. The memory is reused for each destination.
 */
public final class TreePart {
    private static final int NONE = Fabric.NONE;

    final Channels channels;
    private final byte[][] lfts;

    private final int[] switches;
    private int count;

    /** Number of switches, from the first on, whose own end ports send packets. */
    private int sources;

    /** By switch: whether it is in the part, and its link; undefined outside. */
    private final boolean[] isInside;

    private final int[] next;

    /** By switch: whether it is a root, and whether it is one or packets from one pass it; undefined outside. */
    private final boolean[] isRoot;

    private final boolean[] isBehindRoot;

    private final int[] pending;
    private final int[] queue;

    /** By ingress class: SLs that arrive. All zero between walks. */
    private final char[] arriving;

    /**
     * By switch: its entry, and the number of the tree for which it was read. Rows are far apart in memory,
     * and neighbours read the same entry repeatedly.
     */
    private final byte[] entry;

    private final int[] readFor;
    private int tree;

    /** By switch: the number of the last tree that leaves out this switch and all that forward through it. */
    private final int[] leftOutFor;

    private int lid;
    private int destination;
    private long visited;

    /** A consumer of the traffic of a walk. */
    private interface Sink {
        /**
         * Receives packets that leave by a link.
         *
         * @param ingress the class by which they came in, numbered over all switches
         * @param out out, numbered within the switch
         * @param slot slot as in {@link SlUsage}
         */
        void saw(int sw, int ingress, int out, int slot, char sls);

        /** Receives packets at the switch of the destination. */
        void arrived(int sw, int ingress, char sls);
    }

    /**
     * A consumer of sets of SLs, in the terms of {@link SlUsage}. Packets that arrive leave by the out of
     * each of their LIDs.
     */
    public interface Note {
        void take(int sw, int ingress, int out, int slot, char sls);
    }

    public TreePart(Channels channels, byte[][] lfts) {
        this.channels = channels;
        this.lfts = lfts;
        int count = channels.switchCount;
        switches = new int[count];
        isInside = new boolean[count];
        next = new int[count];
        entry = new byte[count];
        readFor = new int[count];
        leftOutFor = new int[count];
        isRoot = new boolean[count];
        isBehindRoot = new boolean[count];
        pending = new int[count];
        queue = new int[count];
        arriving = new char[channels.firstClass[count]];
    }

    /** Begins with the tree of a LID that has a switch. */
    public void begin(int dlid) {
        for (int i = 0; i < count; i++) {
            isInside[switches[i]] = false;
        }
        count = 0;
        sources = 0;
        tree++;
        lid = dlid;
        destination = channels.subnet.switchOfLid(dlid);
    }

    /**
     * Begins with the tree of a LID, without some switches and all that forward through them.
     *
     * @param leftOut switches to leave out; not {@link MixedDestinations#EVERYWHERE}
     */
    public void begin(int dlid, int[] leftOut) {
        begin(dlid);
        for (int sw : leftOut) {
            leftOutFor[sw] = tree;
        }
    }

    /** Checks whether no left-out switch is on the path from a switch to the destination. */
    public boolean isClear(int from) {
        int sw = from;
        for (int hops = 0; hops < next.length && leftOutFor[sw] != tree && link(sw) != NONE; hops++) {
            sw = channels.linkTo[link(sw)];
        }
        return leftOutFor[sw] != tree;
    }

    int destination() {
        return destination;
    }

    /** Returns the number of visits of switches, in all trees. */
    long visited() {
        return visited;
    }

    /**
     * Returns the link by which a switch forwards; NONE at the destination, and if the table has no link for
     * it.
     */
    public int link(int sw) {
        return sw == destination ? NONE : channels.link(sw, entry(sw) & 0xff);
    }

    private byte entry(int sw) {
        if (readFor[sw] != tree) {
            readFor[sw] = tree;
            entry[sw] = lfts[sw][lid];
        }
        return entry[sw];
    }

    /** Adds a root and all switches that forward through it. */
    public void addUpstream(int from) {
        int head = count;
        if (!isInside[from]) {
            take(from);
        }
        isRoot[from] = true;
        isBehindRoot[from] = true;
        while (head < count) {
            int sw = switches[head++];
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                int behind = channels.linkTo[link];
                if (!isInside[behind]
                        && entry(behind) == channels.farPort[link]
                        && behind != destination
                        && leftOutFor[behind] != tree) {
                    take(behind);
                }
            }
        }
        sources = count;
    }

    private void take(int sw) {
        isInside[sw] = true;
        isRoot[sw] = false;
        isBehindRoot[sw] = false;
        switches[count++] = sw;
        next[sw] = link(sw);
        visited++;
    }

    /** Adds a single switch whose own end ports send packets. */
    void addSource(int sw) {
        if (!isInside[sw]) {
            take(sw);
        }
        sources = count;
    }

    /** Returns the number of switches in the part. */
    int count() {
        return count;
    }

    /** Returns a switch of the part. */
    int at(int index) {
        return switches[index];
    }

    /**
     * Adds the path from all switches so far to the destination. Switches that are new on it send no packets
     * of their own.
     */
    void addDownstream() {
        for (int i = 0; i < count; i++) {
            int link = next[switches[i]];
            if (link != NONE && !isInside[channels.linkTo[link]]) {
                take(channels.linkTo[link]);
            }
        }
    }

    /** Checks whether a switch is a root. */
    boolean isRoot(int sw) {
        return isInside[sw] && isRoot[sw];
    }

    /** Checks whether a switch is a root, or packets that are seen there may have passed one. */
    boolean isBehindRoot(int sw) {
        return isBehindRoot[sw];
    }

    /** Walks, leaves first. Returns false if this part shows that some packet does not arrive. */
    private boolean walk(Sink sink) {
        for (int i = 0; i < count; i++) {
            int link = next[switches[i]];
            if (link != NONE && isInside[channels.linkTo[link]]) {
                pending[channels.linkTo[link]]++;
            }
            if (i < sources) {
                inject(switches[i]);
            }
        }
        int tail = 0;
        for (int i = 0; i < count; i++) {
            if (pending[switches[i]] == 0) {
                queue[tail++] = switches[i];
            }
        }
        boolean isWhole = true;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            int link = next[sw];
            if (link == NONE) {
                isWhole &= deliver(sw, sink) || sw == destination;
                continue;
            }
            int to = channels.linkTo[link];
            char all = forward(sw, link, sink);
            if (isInside[to]) {
                arriving[channels.linkClass[link]] |= all;
                isBehindRoot[to] |= isBehindRoot[sw];
                if (--pending[to] == 0) {
                    queue[tail++] = to;
                }
            }
        }
        return tail == count ? isWhole : !drainCircles() && isWhole;
    }

    /**
     * Walks the part for several LIDs with the same tree. Returns false if this part shows that some packet
     * does not arrive.
     */
    public boolean walk(int[] lids, Note note) {
        return walk(new Sink() {
            @Override
            public void saw(int sw, int ingress, int out, int slot, char sls) {
                note.take(sw, ingress, out, slot, sls);
            }

            @Override
            public void arrived(int sw, int ingress, char sls) {
                for (int each : lids) {
                    note.take(sw, ingress, channels.deliveryOut(each), 0, sls);
                }
            }
        });
    }

    private void inject(int sw) {
        int[] local = channels.localClasses[sw];
        if (local.length > 0) {
            char sls = (char) channels.plan.slMask(sw, lid);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    private char forward(int sw, int link, Sink sink) {
        int to = channels.linkTo[link];
        int out = link - channels.firstLink[sw];
        int onward = isInside[to] ? next[to] : link(to);
        int slot = onward == NONE ? channels.degree(to) : onward - channels.firstLink[to];
        char all = 0;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            char sls = arriving[ingress];
            if (sls != 0) {
                sink.saw(sw, ingress, out, slot, sls);
                all |= sls;
                arriving[ingress] = 0;
            }
        }
        return all;
    }

    /** Ends a path at a switch without a link. Returns true if no packets arrived there. */
    private boolean deliver(int sw, Sink sink) {
        boolean isIdle = true;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            if (arriving[ingress] != 0) {
                isIdle = false;
                if (sw == destination) {
                    sink.arrived(sw, ingress, arriving[ingress]);
                }
                arriving[ingress] = 0;
            }
        }
        return isIdle;
    }

    /** Removes the packets of switches whose entries form a loop. Returns whether there were any. */
    private boolean drainCircles() {
        boolean any = false;
        for (int i = 0; i < count; i++) {
            int sw = switches[i];
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                any |= pending[sw] != 0 && arriving[ingress] != 0;
            }
            if (pending[sw] != 0) {
                Arrays.fill(arriving, channels.firstClass[sw], channels.firstClass[sw + 1], (char) 0);
                pending[sw] = 0;
            }
        }
        return any;
    }
}
