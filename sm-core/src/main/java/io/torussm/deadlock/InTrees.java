package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A walk of the in-trees of destinations, leaves first. It records in a {@link SlUsage} the SLs of packets by ingress
 * class, out and next hop. One instance belongs to one task. Tasks share only the counter of blocks of destinations, so
 * the union of their records does not depend on their number.
 *
 * <p>Trees of neighbouring destinations have most of their branches in common: in a torus the paths to a plane use the
 * same links until they reach the plane. So sixteen trees are walked together as long as they agree, with four sets of
 * SLs in a word ({@link #walk(int, int)}). Switches whose entries differ, and all switches after them on the paths, are
 * walked separately for each tree ({@link LaneWalk}).
 */
public final class InTrees {
    /** Number of destinations whose entries are copied together: those of one LFT block share a cache line. */
    private static final int BLOCK = 64;

    /**
     * Number of trees that are walked together. A word of 64 bits has the sets of SLs of {@code LANES_A_WORD} trees,
     * {@code SET_BITS} bits each; the sets of all trees have {@code WORDS} words.
     */
    private static final int LANES = 16;

    private static final int LANES_A_WORD = 4;
    private static final int WORDS = LANES / LANES_A_WORD;
    private static final int SET_BITS = 16;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int NONE = Fabric.NONE;

    private final Channels channels;
    private final SimilarTrees trees;
    private final SlUsage traffic;

    /** [switch * BLOCK + position in the block] egress port number for the group at this position. */
    private final byte[] entries;

    /** [position in the block] group. */
    private final int[] group = new int[BLOCK];

    /** [position in the block] one LID of the group. */
    private final int[] lids = new int[BLOCK];

    /** [position in the block] destination switch of the group. */
    private final int[] destination = new int[BLOCK];

    /** Memory of {@link #inject}: sets of SLs of each tree, and the same sets in words. */
    private final char[] masks = new char[LANES];

    private final long[] words = new long[WORDS];

    /** [switch] link by which all trees leave the switch; NONE if the links differ, or if a tree ends there. */
    private final int[] commonLink;

    /** [switch] whether one of the trees that are walked together ends there. */
    private final boolean[] isDestination;

    /** [switch] number of edges from unvisited switches, tree by tree or common. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /**
     * [ingress class * WORDS + word] SLs that arrive, tree by tree. Classes are numbered over all switches. All zero
     * between walks.
     */
    private final long[] arrivingSls;

    /** Switches that are walked separately for each tree. */
    private final int[] separateSwitches;

    private int separateCount;

    private final LaneWalk laneWalk;

    /** The lowest group that some packet does not reach; {@code Integer.MAX_VALUE} if all packets arrive. */
    private int firstLostGroup = Integer.MAX_VALUE;

    InTrees(Channels channels, byte[][] lfts, DestinationGroups groups, SimilarTrees trees, SlUsage traffic) {
        this.channels = channels;
        this.trees = trees;
        this.traffic = traffic;
        int switches = channels.switchCount;
        entries = new byte[BLOCK * switches];
        commonLink = new int[switches];
        isDestination = new boolean[switches];
        pending = new int[switches];
        queue = new int[switches];
        arrivingSls = new long[channels.firstClass[switches] * WORDS];
        separateSwitches = new int[switches];
        laneWalk = new LaneWalk(channels, lfts, groups, traffic);
    }

    /**
     * Walks all in-trees.
     *
     * @param tasks number of parallel parts, at least 1
     * @return the walk of each part
     */
    public static List<InTrees> walk(Channels channels, byte[][] lfts, DestinationGroups groups, int tasks) {
        AtomicInteger nextBlock = new AtomicInteger();
        SlUsage shape = new SlUsage(channels);
        SimilarTrees trees = SimilarTrees.of(lfts, groups, tasks);
        List<InTrees> walkers = IntStream.range(0, tasks)
                .mapToObj(task -> new InTrees(channels, lfts, groups, trees, task == 0 ? shape : new SlUsage(shape)))
                .toList();
        ForkJoinTask.invokeAll(walkers.stream()
                .map(walker -> ForkJoinTask.adapt(() -> walker.walk(nextBlock)))
                .toList());
        return walkers;
    }

    /** Returns the union of the traffic of all parts. The union replaces the traffic of the first part. */
    public static SlUsage traffic(List<InTrees> walked) {
        SlUsage traffic = walked.get(0).traffic;
        walked.subList(1, walked.size()).forEach(more -> traffic.add(more.traffic));
        return traffic;
    }

    /** Walks blocks of groups, whose numbers come from a counter that all tasks share, until none is left. */
    public InTrees walk(AtomicInteger nextBlock) {
        int blocks = (trees.count() + BLOCK - 1) / BLOCK;
        for (int block = nextBlock.getAndIncrement(); block < blocks; block = nextBlock.getAndIncrement()) {
            int first = block * BLOCK;
            int count = Math.min(BLOCK, trees.count() - first);
            for (int i = 0; i < count; i++) {
                group[i] = trees.group(first + i);
                lids[i] = trees.lid(first + i);
                destination[i] = trees.destination(first + i);
            }
            for (int sw = 0; sw < channels.switchCount; sw++) {
                System.arraycopy(trees.entries(sw), first, entries, sw * BLOCK, count);
            }
            for (int from = 0; from < count; from += LANES) {
                walk(from, Math.min(LANES, count - from));
            }
        }
        return this;
    }

    /**
     * Returns the first group with a LID that some packet does not reach; {@code Integer.MAX_VALUE} if all packets
     * arrive.
     */
    int firstLostGroup() {
        return firstLostGroup;
    }

    /**
     * Walks some in-trees of the current block: first together, where all agree, then the rest one by one.
     *
     * @param from position of the first tree in the block
     * @param count number of trees, at most {@link #LANES}
     */
    private void walk(int from, int count) {
        for (int i = from; i < from + count; i++) {
            isDestination[destination[i]] = true;
        }
        readCommon(from, count);
        int tail = 0;
        for (int sw = 0; sw < commonLink.length; sw++) {
            if (pending[sw] == 0 && commonLink[sw] != NONE) {
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            inject(sw, from, count);
            int to = channels.linkTo[commonLink[sw]];
            forward(sw, commonLink[sw], from, count);
            if (--pending[to] == 0 && commonLink[to] != NONE) {
                queue[tail++] = to;
            }
        }
        separateCount = 0;
        for (int sw = 0; sw < commonLink.length; sw++) {
            if (commonLink[sw] == NONE || pending[sw] != 0) {
                pending[sw] = 0;
                separateSwitches[separateCount++] = sw;
            }
        }
        for (int i = from; i < from + count; i++) {
            isDestination[destination[i]] = false;
            walkSeparately(i, i - from);
        }
        for (int i = 0; i < separateCount; i++) {
            int first = channels.firstClass[separateSwitches[i]];
            Arrays.fill(arrivingSls, first * WORDS, channels.firstClass[separateSwitches[i] + 1] * WORDS, 0);
        }
    }

    /**
     * Finds the links on which the trees agree, and counts the predecessors of each switch. Where the trees differ, the
     * link of each tree counts. The common walk does not visit such a switch, so a switch after it keeps a count above
     * zero and is not visited either.
     */
    private void readCommon(int from, int count) {
        for (int sw = 0; sw < commonLink.length; sw++) {
            int at = sw * BLOCK + from;
            boolean agree = !isDestination[sw];
            if (agree && count == LANES) {
                long first = (entries[at] & 0xff) * EACH_BYTE;
                agree = (long) LONGS.get(entries, at) == first && (long) LONGS.get(entries, at + Long.BYTES) == first;
            } else {
                for (int i = 1; agree && i < count; i++) {
                    agree = entries[at + i] == entries[at];
                }
            }
            commonLink[sw] = agree ? channels.link(sw, entries[at] & 0xff) : NONE;
            if (commonLink[sw] != NONE) {
                pending[channels.linkTo[commonLink[sw]]]++;
                continue;
            }
            for (int i = 0; i < count; i++) {
                int link = channels.link(sw, entries[at + i] & 0xff);
                if (link != NONE) {
                    pending[channels.linkTo[link]]++;
                }
            }
        }
    }

    /** Adds the packets that end ports at a switch send, for each tree. */
    private void inject(int sw, int from, int count) {
        int[] local = channels.localClasses[sw];
        if (local.length == 0) {
            return;
        }
        channels.plan.slMasks(sw, lids, from, count, masks);
        Arrays.fill(masks, count, LANES, (char) 0);
        for (int word = 0; word < WORDS; word++) {
            int at = word * LANES_A_WORD;
            words[word] = masks[at]
                    | (long) masks[at + 1] << SET_BITS
                    | (long) masks[at + 2] << 2 * SET_BITS
                    | (long) masks[at + 3] << 3 * SET_BITS;
        }
        for (int ingress : local) {
            for (int word = 0; word < WORDS; word++) {
                arrivingSls[ingress * WORDS + word] |= words[word];
            }
        }
    }

    /** Records the packets of all trees at a switch, and moves them over a link to the next switch. */
    private void forward(int sw, int link, int from, int count) {
        int to = channels.linkTo[link];
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = traffic.slots[out];
        boolean hasCommonNext = commonLink[to] != NONE;
        char[] seen = traffic.slSets[sw];
        int classOffset = traffic.offset[out];
        int slot = hasCommonNext ? commonLink[to] - channels.firstLink[to] : 0;
        int target = channels.linkClass[link] * WORDS;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            int first = ingress * WORDS;
            long all = arrivingSls[first] | arrivingSls[first + 1] | arrivingSls[first + 2] | arrivingSls[first + 3];
            if (all != 0) {
                if (hasCommonNext) {
                    // the union of the four sets in the word ends in its lowest 16 bits
                    all |= all >>> 2 * SET_BITS;
                    seen[classOffset + slot] |= (char) (all | all >>> SET_BITS);
                } else {
                    recordSeparate(seen, classOffset, first, to, from, count);
                }
                for (int word = 0; word < WORDS; word++) {
                    arrivingSls[target + word] |= arrivingSls[first + word];
                    arrivingSls[first + word] = 0;
                }
            }
            classOffset += slots;
        }
    }

    /** Records packets whose trees leave the next switch by different links, or end there. */
    private void recordSeparate(char[] seen, int classOffset, int first, int to, int from, int count) {
        for (int i = 0; i < count; i++) {
            char sls = slsOf(first, i);
            if (sls != 0) {
                boolean isEnd = destination[from + i] == to;
                int nextLink = isEnd ? NONE : channels.link(to, entries[to * BLOCK + from + i] & 0xff);
                seen[classOffset + (nextLink == NONE ? channels.degree(to) : nextLink - channels.firstLink[to])] |= sls;
            }
        }
    }

    /**
     * Returns the SLs of one tree that arrive in an ingress class.
     *
     * @param first first word of the class in {@link #arrivingSls}
     * @param index tree, 0 to {@code LANES - 1}
     */
    private char slsOf(int first, int index) {
        return (char) (arrivingSls[first + index / LANES_A_WORD] >>> index % LANES_A_WORD * SET_BITS);
    }

    /**
     * Walks the rest of one in-tree.
     *
     * @param entry position of the tree in the block
     * @param index tree, 0 to {@code LANES - 1}
     */
    private void walkSeparately(int entry, int index) {
        laneWalk.begin(group[entry]);
        for (int i = 0; i < separateCount; i++) {
            int sw = separateSwitches[i];
            laneWalk.add(sw, entries[sw * BLOCK + entry] & 0xff);
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                laneWalk.arrive(ingress, slsOf(ingress * WORDS, index));
            }
        }
        if (!laneWalk.walk()) {
            firstLostGroup = Math.min(firstLostGroup, group[entry]);
        }
    }
}
