package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.InTrees;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.transition.MixedDestinations;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A part of the in-tree of one destination: certain switches (the roots), all switches that forward through them, and
 * optionally the path from them to the destination. The walk moves sets of SLs as {@link InTrees} does, but only of
 * packets that are injected in this part, and reports them. For each destination, the caller calls {@link #begin}, adds
 * switches and calls {@link #walk}; the memory is reused. Not thread-safe.
 */
public final class TreePart {
    private static final int NONE = Fabric.NONE;

    final Channels channels;
    private final byte[][] lfts;

    /** The switches of the part: the first {@link #count} elements. */
    private final int[] switches;

    private int count;

    /** Number of switches, from the first on, whose own end ports send packets. */
    private int sources;

    /** [switch] whether the switch is in the part. */
    private final boolean[] isInside;

    /** [switch] link towards the destination; NONE without one; undefined outside the part. */
    private final int[] next;

    /** [switch] whether the switch is a root; undefined outside the part. */
    private final boolean[] isRoot;

    /** [switch] whether the switch is a root or packets from a root pass it; undefined outside the part. */
    private final boolean[] isBehindRoot;

    /** [switch] number of unvisited switches of the part that forward to it. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** [ingress class, over all switches] SLs that arrive (bit n: SL n). All zero between walks. */
    private final char[] arriving;

    /**
     * [switch] its entry, valid if {@link #entryTree} is the current tree. Entries are copied because rows are far
     * apart in memory, and all neighbours of a switch read its entry.
     */
    private final byte[] entry;

    /** [switch] number of the tree for which {@link #entry} was read. */
    private final int[] entryTree;

    /** Number of the current tree, ascending from 1. */
    private int treeNumber;

    /** [switch] number of the last tree without this switch and all switches that forward through it. */
    private final int[] excludedTree;

    private int lid;
    private int destination;
    private long visited;

    /** A consumer of the traffic of a walk. */
    private interface Sink {
        /**
         * Receives packets that leave a switch by a link.
         *
         * @param ingress the ingress class of the packets, numbered over all switches
         * @param out out, numbered within the switch
         * @param slot slot as in {@link SlUsage}
         * @param sls SLs of the packets (bit n: SL n)
         */
        void acceptHop(int sw, int ingress, int out, int slot, char sls);

        /** Receives packets at the switch of the destination. */
        void acceptArrival(int sw, int ingress, char sls);
    }

    /**
     * A consumer of sets of SLs, with the parameters of {@link SlUsage#index}. Packets at their destination are
     * reported once for the out of each LID.
     */
    public interface HopConsumer {
        void accept(int sw, int ingress, int out, int slot, char sls);
    }

    public TreePart(Channels channels, byte[][] lfts) {
        this.channels = channels;
        this.lfts = lfts;
        int count = channels.switchCount;
        switches = new int[count];
        isInside = new boolean[count];
        next = new int[count];
        entry = new byte[count];
        entryTree = new int[count];
        excludedTree = new int[count];
        isRoot = new boolean[count];
        isBehindRoot = new boolean[count];
        pending = new int[count];
        queue = new int[count];
        arriving = new char[channels.firstClass[count]];
    }

    /** Begins a part of the tree of a LID, without switches. The LID is known to be at a switch. */
    public void begin(int dlid) {
        for (int i = 0; i < count; i++) {
            isInside[switches[i]] = false;
        }
        count = 0;
        sources = 0;
        treeNumber++;
        lid = dlid;
        destination = channels.subnet.switchOfLid(dlid);
    }

    /**
     * Begins a part of the tree of a LID, without switches. Some switches and all that forward through them are never
     * added by {@link #addUpstream}.
     *
     * @param leftOut switches to leave out; not {@link MixedDestinations#ALL_SWITCHES}
     */
    public void begin(int dlid, int[] leftOut) {
        begin(dlid);
        for (int sw : leftOut) {
            excludedTree[sw] = treeNumber;
        }
    }

    /** Checks whether no left-out switch is on the path from a switch to the destination. */
    public boolean avoidsExcluded(int from) {
        int sw = from;
        for (int hops = 0; hops < next.length && excludedTree[sw] != treeNumber && link(sw) != NONE; hops++) {
            sw = channels.linkTo[link(sw)];
        }
        return excludedTree[sw] != treeNumber;
    }

    /** Returns the switch of the current LID. */
    int destination() {
        return destination;
    }

    /** Returns the number of visits of switches, in all trees. */
    long visited() {
        return visited;
    }

    /**
     * Returns the link by which a switch forwards packets to the current LID; NONE at the destination, and if the entry
     * is no link between switches.
     */
    public int link(int sw) {
        return sw == destination ? NONE : channels.link(sw, entry(sw) & 0xff);
    }

    private byte entry(int sw) {
        if (entryTree[sw] != treeNumber) {
            entryTree[sw] = treeNumber;
            entry[sw] = lfts[sw][lid];
        }
        return entry[sw];
    }

    /** Adds a root and all switches that forward through it. */
    public void addUpstream(int from) {
        int head = count;
        if (!isInside[from]) {
            add(from);
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
                        && excludedTree[behind] != treeNumber) {
                    add(behind);
                }
            }
        }
        sources = count;
    }

    /** Adds a switch that is not yet in the part. */
    private void add(int sw) {
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
            add(sw);
        }
        sources = count;
    }

    /** Returns the number of switches in the part. */
    int count() {
        return count;
    }

    /** Returns a switch of the part, by its index in the order of addition. */
    int switchAt(int index) {
        return switches[index];
    }

    /**
     * Adds the paths from all switches of the part to the destination. The own end ports of switches that are added
     * here send no packets.
     */
    void addDownstream() {
        for (int i = 0; i < count; i++) {
            int link = next[switches[i]];
            if (link != NONE && !isInside[channels.linkTo[link]]) {
                add(channels.linkTo[link]);
            }
        }
    }

    /** Checks whether a switch is a root. */
    boolean isRoot(int sw) {
        return isInside[sw] && isRoot[sw];
    }

    /** Checks whether a switch of the part is a root, or packets that pass it may have passed a root. */
    boolean isBehindRoot(int sw) {
        return isBehindRoot[sw];
    }

    /** Walks the part, leaves first. Returns false if some packet of this part does not arrive. */
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
        return tail == count ? isWhole : !clearLoops() && isWhole;
    }

    /**
     * Walks the part for several LIDs with the same tree, the LID of {@link #begin} included. Returns false if some
     * packet of this part does not arrive.
     */
    public boolean walk(int[] lids, HopConsumer note) {
        return walk(new Sink() {
            @Override
            public void acceptHop(int sw, int ingress, int out, int slot, char sls) {
                note.accept(sw, ingress, out, slot, sls);
            }

            @Override
            public void acceptArrival(int sw, int ingress, char sls) {
                for (int each : lids) {
                    note.accept(sw, ingress, channels.deliveryOut(each), 0, sls);
                }
            }
        });
    }

    /** Adds the packets that end ports at a switch send. */
    private void inject(int sw) {
        int[] local = channels.localClasses[sw];
        if (local.length > 0) {
            char sls = (char) channels.plan.slMask(sw, lid);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    /** Reports the packets of a switch, removes them there, and returns their SLs. */
    private char forward(int sw, int link, Sink sink) {
        int to = channels.linkTo[link];
        int out = link - channels.firstLink[sw];
        int nextLink = isInside[to] ? next[to] : link(to);
        int slot = nextLink == NONE ? channels.degree(to) : nextLink - channels.firstLink[to];
        char all = 0;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            char sls = arriving[ingress];
            if (sls != 0) {
                sink.acceptHop(sw, ingress, out, slot, sls);
                all |= sls;
                arriving[ingress] = 0;
            }
        }
        return all;
    }

    /** Ends the paths of packets at a switch without a link. Returns true if there were no packets. */
    private boolean deliver(int sw, Sink sink) {
        boolean isIdle = true;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            if (arriving[ingress] != 0) {
                isIdle = false;
                if (sw == destination) {
                    sink.acceptArrival(sw, ingress, arriving[ingress]);
                }
                arriving[ingress] = 0;
            }
        }
        return isIdle;
    }

    /** Removes the packets of switches whose entries form a loop. Returns true if there were any. */
    private boolean clearLoops() {
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
