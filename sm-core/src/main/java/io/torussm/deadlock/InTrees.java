package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Walks the in-trees of destinations, leaves first, and notes in a {@link SlUsage} what travels where. One instance
 * belongs to one task; tasks share only the counter from which they draw blocks of destinations, so what all of them
 * saw together does not depend on how many there are.
 */
final class InTrees {
    /** Destinations whose columns are transposed at a time: entries of one LFT block share a cache line. */
    private static final int BLOCK = 64;

    private static final int NONE = Fabric.NONE;

    private final Channels channels;
    private final byte[][] lfts;
    private final DestinationGroups groups;
    private final SlUsage traffic;

    private final byte[] columns;

    /** By switch: the link towards the destination; NONE there, and where the table leads nowhere. */
    private final int[] next;

    /** By switch: neighbours that forward through it and were not visited yet. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** By ingress class, over all switches: SLs that arrive. All zero between walks. */
    private final char[] arriving;

    private int firstLost = Integer.MAX_VALUE;

    InTrees(Channels channels, byte[][] lfts, DestinationGroups groups, SlUsage traffic) {
        this.channels = channels;
        this.lfts = lfts;
        this.groups = groups;
        this.traffic = traffic;
        columns = new byte[BLOCK * channels.switchCount];
        next = new int[channels.switchCount];
        pending = new int[channels.switchCount];
        queue = new int[channels.switchCount];
        arriving = new char[channels.firstClass[channels.switchCount]];
    }

    /**
     * Walks all in-trees.
     *
     * @param tasks parts to work in side by side, at least 1
     * @return what each of them saw
     */
    static List<InTrees> walk(Channels channels, byte[][] lfts, DestinationGroups groups, int tasks) {
        AtomicInteger nextBlock = new AtomicInteger();
        SlUsage shape = new SlUsage(channels);
        List<InTrees> walkers = IntStream.range(0, tasks)
                .mapToObj(task -> new InTrees(channels, lfts, groups, task == 0 ? shape : new SlUsage(shape)))
                .toList();
        ForkJoinTask.invokeAll(walkers.stream()
                .map(walker -> ForkJoinTask.adapt(() -> walker.walk(nextBlock)))
                .toList());
        return walkers;
    }

    /** What all of them saw together; kept in the first one. */
    static SlUsage traffic(List<InTrees> walked) {
        SlUsage traffic = walked.get(0).traffic;
        walked.subList(1, walked.size()).forEach(more -> traffic.add(more.traffic));
        return traffic;
    }

    /** Takes blocks of groups until none is left. */
    InTrees walk(AtomicInteger nextBlock) {
        int blocks = (groups.count() + BLOCK - 1) / BLOCK;
        for (int block = nextBlock.getAndIncrement(); block < blocks; block = nextBlock.getAndIncrement()) {
            int first = block * BLOCK;
            int count = Math.min(BLOCK, groups.count() - first);
            transpose(first, count);
            for (int i = 0; i < count; i++) {
                if (!walk(first + i, i * channels.switchCount)) {
                    firstLost = Math.min(firstLost, first + i);
                }
            }
        }
        return this;
    }

    /** The first group with a LID that some packet does not reach; {@code Integer.MAX_VALUE} if all arrive. */
    int firstLost() {
        return firstLost;
    }

    private void transpose(int firstGroup, int count) {
        int switches = channels.switchCount;
        int[] lids = new int[count];
        for (int i = 0; i < count; i++) {
            lids[i] = groups.members(firstGroup + i)[0];
        }
        for (int sw = 0; sw < switches; sw++) {
            byte[] row = lfts[sw];
            for (int i = 0, to = sw; i < count; i++, to += switches) {
                columns[to] = row[lids[i]];
            }
        }
    }

    /** One in-tree; false if some packet does not arrive. */
    private boolean walk(int group, int column) {
        int destination = groups.destination(group);
        int lid = groups.members(group)[0];
        readColumn(destination, column);
        int head = 0;
        int tail = 0;
        for (int sw = 0; sw < next.length; sw++) {
            if (pending[sw] == 0) {
                queue[tail++] = sw;
            }
        }
        boolean whole = true;
        while (head < tail) {
            int sw = queue[head++];
            inject(sw, lid);
            int link = next[sw];
            if (link != NONE) {
                forward(sw, link, destination);
                if (--pending[channels.linkTo[link]] == 0) {
                    queue[tail++] = channels.linkTo[link];
                }
            } else if (sw == destination) {
                whole &= deliver(group, sw);
            } else {
                whole &= !drain(sw);
            }
        }
        return tail == next.length ? whole : !drainLoops(lid) && whole;
    }

    private void readColumn(int destination, int column) {
        int[] firstPort = channels.firstPort;
        for (int sw = 0; sw < next.length; sw++) {
            int link = NONE;
            int port = firstPort[sw] + (columns[column + sw] & 0xff);
            if (sw != destination && port < firstPort[sw + 1]) {
                int out = channels.outOfPort[port];
                if (out != NONE && out < channels.degree(sw)) {
                    link = channels.firstLink[sw] + out;
                    pending[channels.linkTo[link]]++;
                }
            }
            next[sw] = link;
        }
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

    private void forward(int sw, int link, int destination) {
        int to = channels.linkTo[link];
        int out = channels.firstOut[sw] + link - channels.firstLink[sw];
        int slots = traffic.slots[out];
        int slot = to != destination && next[to] != NONE ? next[to] - channels.firstLink[to] : slots - 1;
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

    /** The last hop, out of a local port; false if there is traffic and a LID of the group has another entry here. */
    private boolean deliver(int group, int sw) {
        boolean right = true;
        for (int lid : groups.members(group)) {
            int portNum = channels.subnet.deliveryPort(lid);
            int out = channels.firstOut[sw] + channels.outOfPort[channels.firstPort[sw] + portNum];
            boolean traveled = false;
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                int at = traffic.offset[out] + ingress - channels.firstClass[sw];
                traffic.seen[sw][at] |= arriving[ingress];
                traveled |= arriving[ingress] != 0;
            }
            right &= !traveled || (lfts[sw][lid] & 0xff) == portNum;
        }
        drain(sw);
        return right;
    }

    /** Empties a switch from which there is no way on; whether anything had arrived. */
    private boolean drain(int sw) {
        boolean any = false;
        for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
            any |= arriving[ingress] != 0;
        }
        Arrays.fill(arriving, channels.firstClass[sw], channels.firstClass[sw + 1], (char) 0);
        return any;
    }

    /** Empties the switches that nothing visited because they forward in circles; whether anything travels there. */
    private boolean drainLoops(int dlid) {
        boolean any = false;
        for (int sw = 0; sw < next.length; sw++) {
            if (pending[sw] != 0) {
                pending[sw] = 0;
                inject(sw, dlid);
                any |= drain(sw);
            }
        }
        return any;
    }
}
