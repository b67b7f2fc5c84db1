package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.InTrees;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.transition.MixedDestinations;
import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A part of the in-tree of one destination: certain switches, all that forward through them, and, if wanted, the way on from
 * them. It moves sets of SLs as {@link InTrees} does, but only what is injected behind those switches, and passes on what it sees. Scratch space
 * that is read anew for each destination.
 */
public final class TreePart {
    private static final int NONE = Fabric.NONE;

    final Channels channels;
    private final byte[][] lfts;

    private final int[] switches;
    private int count;

    /** How many of these, from the first on, send packets themselves. */
    private int sources;

    /** By switch: whether it is in the part, and its link; anything outside. */
    private final boolean[] isInside;

    private final int[] next;

    /** By switch: whether the part began with it, and whether the way from there leads over it; anything outside. */
    private final boolean[] isRoot;

    private final boolean[] isBehindRoot;

    private final int[] pending;
    private final int[] queue;

    /** By ingress class: SLs that arrive. All zero between walks. */
    private final char[] arriving;

    /** By switch: its entry, and for which of the trees, counted, it was read. Rows are far apart in memory, and neighbours ask again and again. */
    private final byte[] entry;

    private final int[] readFor;
    private int tree;

    /** By switch: the last tree in which nothing is taken in that is there or behind it. */
    private final int[] leftOutFor;

    private int lid;
    private int destination;
    private long visited;

    /** What a walk sees. */
    private interface Sink {
        /**
         * Packets that go on by a link.
         *
         * @param ingress the class by which they came in, over all switches
         * @param out out, numbered within the switch
         * @param slot as in {@link SlUsage}
         */
        void saw(int sw, int ingress, int out, int slot, char sls);

        /** Packets that are at the switch of the destination. */
        void arrived(int sw, int ingress, char sls);
    }

    /** Takes a set of SLs that was seen, in the terms of {@link SlUsage}; packets that arrive leave by the out of each of their LIDs. */
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

    /** Begins with the tree of a LID, which has a switch. */
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
     * The same without some switches, and without all that forward through them.
     *
     * @param leftOut no {@link MixedDestinations#EVERYWHERE}
     */
    public void begin(int dlid, int[] leftOut) {
        begin(dlid);
        for (int sw : leftOut) {
            leftOutFor[sw] = tree;
        }
    }

    /** Whether no switch that is left out is on the way from here to the destination. */
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

    /** Switches that were looked at, in all trees. */
    long visited() {
        return visited;
    }

    /** The link by which a switch forwards; NONE at the destination, and where the table leads nowhere. */
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

    /** Takes in a switch and all that forward through it. */
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

    /** Takes in a switch that sends packets, too, alone. */
    void addSource(int sw) {
        if (!isInside[sw]) {
            take(sw);
        }
        sources = count;
    }

    /** Switches in the part. */
    int count() {
        return count;
    }

    /** One of them. */
    int at(int index) {
        return switches[index];
    }

    /** Takes in the way on from all switches so far; those that only it meets send nothing themselves. */
    void addDownstream() {
        for (int i = 0; i < count; i++) {
            int link = next[switches[i]];
            if (link != NONE && !isInside[channels.linkTo[link]]) {
                take(channels.linkTo[link]);
            }
        }
    }

    /** Whether a switch is one of those that the part began with. */
    boolean isRoot(int sw) {
        return isInside[sw] && isRoot[sw];
    }

    /** Whether, when packets are seen there, some of them came by one of those switches, or may have; or the switch is one. */
    boolean isBehindRoot(int sw) {
        return isBehindRoot[sw];
    }

    /** Walks, leaves first; false if some packet does not get where it should as far as this part shows. */
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

    /** The same for several LIDs that have this tree. */
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

    /** The end of a way; true if nothing had come there. */
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

    /** Empties switches that forward in circles; whether anything travels there. */
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
