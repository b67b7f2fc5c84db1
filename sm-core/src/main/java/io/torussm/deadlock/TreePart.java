package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A part of the in-tree of one destination: certain switches, all that forward through them, and, if wanted, where the way leads on from
 * there. It moves sets of SLs as {@link InTrees} does, but only what is injected behind those switches, and passes on what it sees. Scratch space
 * that is read anew for each destination.
 */
final class TreePart {
    private static final int NONE = Fabric.NONE;

    final Channels channels;
    private final byte[][] lfts;

    private final int[] switches;
    private int count;

    /** How many of these, from the first on, were walked. */
    private int walked;

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

    private int[] lids = {};
    private int lid;
    private int destination;
    private long visited;

    /** Takes what a walk sees. */
    interface Sink {
        /**
         * Packets that go on.
         *
         * @param ingress the class by which they came in, over all switches
         * @param out out, numbered within the switch
         * @param slot as in {@link SlUsage}
         */
        void saw(int sw, int ingress, int out, int slot, char sls);
    }

    TreePart(Channels channels, byte[][] lfts) {
        this.channels = channels;
        this.lfts = lfts;
        int count = channels.switchCount;
        switches = new int[count];
        isInside = new boolean[count];
        next = new int[count];
        entry = new byte[count];
        readFor = new int[count];
        isRoot = new boolean[count];
        isBehindRoot = new boolean[count];
        pending = new int[count];
        queue = new int[count];
        arriving = new char[channels.firstClass[count]];
    }

    /** Begins with the tree of LIDs of one switch that all others forward alike. */
    void begin(int[] dlids) {
        for (int i = 0; i < count; i++) {
            isInside[switches[i]] = false;
        }
        count = 0;
        walked = 0;
        tree++;
        lids = dlids;
        lid = dlids[0];
        destination = channels.subnet.switchOfLid(lid);
    }

    int destination() {
        return destination;
    }

    /** Switches that were looked at, in all trees. */
    long visited() {
        return visited;
    }

    /** The link by which a switch forwards; NONE at the destination, and where the table leads nowhere. */
    int link(int sw) {
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
    void addUpstream(int from) {
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
                if (!isInside[behind] && entry(behind) == channels.farPort[link] && behind != destination) {
                    take(behind);
                }
            }
        }
    }

    /** Takes in a switch alone. */
    void take(int sw) {
        isInside[sw] = true;
        isRoot[sw] = false;
        isBehindRoot[sw] = false;
        switches[count++] = sw;
        next[sw] = link(sw);
        visited++;
    }

    /** Switches in the part. */
    int count() {
        return count;
    }

    /** How many of these, the first, are not those to which packets got outside. */
    int walked() {
        return walked;
    }

    /** One of them. */
    int at(int index) {
        return switches[index];
    }

    boolean isInside(int sw) {
        return isInside[sw];
    }

    /** The link by which a switch of the part forwards; NONE at the end. */
    int next(int sw) {
        return next[sw];
    }

    /** The sets of SLs that arrive, by ingress class. */
    char[] arriving() {
        return arriving;
    }

    /** Whether a switch is one of those that the part began with. */
    boolean isRoot(int sw) {
        return isInside[sw] && isRoot[sw];
    }

    /** Whether, when packets are seen there, some of them came by one of those switches, or may have; or the switch is one. */
    boolean isBehindRoot(int sw) {
        return isBehindRoot[sw];
    }

    /**
     * Walks, leaves first.
     *
     * @param takesExits whether switches outside to which packets get are taken in, for {@link OnwardWalk}
     * @return false if some packet does not get where it should as far as this part shows
     */
    boolean walk(Sink sink, boolean takesExits) {
        walked = count;
        for (int i = 0; i < walked; i++) {
            int link = next[switches[i]];
            if (link != NONE && isInside[channels.linkTo[link]]) {
                pending[channels.linkTo[link]]++;
            }
            inject(switches[i]);
        }
        int tail = 0;
        for (int i = 0; i < walked; i++) {
            if (pending[switches[i]] == 0) {
                queue[tail++] = switches[i];
            }
        }
        boolean isWhole = true;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            int link = next[sw];
            if (link == NONE) {
                isWhole &= deliver(sw, sink);
                continue;
            }
            int to = channels.linkTo[link];
            if (takesExits && !isInside[to]) {
                take(to);
            }
            forward(sw, sink);
            if (pending[to] > 0 && --pending[to] == 0) {
                queue[tail++] = to;
            }
        }
        return tail == walked ? isWhole : !drainCircles() && isWhole;
    }

    /** Adds what a switch sends itself. */
    void inject(int sw) {
        int[] local = channels.localClasses[sw];
        if (local.length > 0) {
            char sls = (char) channels.plan.slMask(sw, lid);
            for (int ingress : local) {
                arriving[ingress] |= sls;
            }
        }
    }

    /** Moves what arrives at a switch to the next one, if that is in the part. */
    void forward(int sw, Sink sink) {
        int link = next[sw];
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
        if (isInside[to]) {
            arriving[channels.linkClass[link]] |= all;
            isBehindRoot[to] |= isBehindRoot[sw];
        }
    }

    /** The end of a way; whether nothing had come there, or where it should. */
    boolean deliver(int sw, Sink sink) {
        boolean isRight = true;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            char sls = arriving[ingress];
            if (sls != 0) {
                isRight = sw == destination;
                for (int i = 0; isRight && i < lids.length; i++) {
                    sink.saw(sw, ingress, channels.deliveryOut(lids[i]), 0, sls);
                }
                arriving[ingress] = 0;
            }
        }
        return isRight;
    }

    /** Empties switches that forward in circles; whether anything travels there. */
    private boolean drainCircles() {
        boolean any = false;
        for (int i = 0; i < walked; i++) {
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
