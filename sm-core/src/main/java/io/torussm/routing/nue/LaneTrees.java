package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.Lanes;
import io.torussm.routing.lanes.LongHeap;
import io.torussm.routing.lanes.SwitchChannels;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Finds a tree of channels to one destination after the other: switches join it by the least weight, as long
 * as the turn that their packets take closes no cycle in the lane. Where a switch cannot join, a neighbour
 * goes another way for it, or else packets go along the escape tree. Each tree adds to the weights of its
 * channels.
 */
final class LaneTrees {
    private static final int NONE = Fabric.NONE;
    private static final int CHANNEL_BITS = 23;
    private static final int CHANNEL = (1 << CHANNEL_BITS) - 1;
    private static final long MOST = Long.MAX_VALUE >> CHANNEL_BITS;

    private final SwitchChannels channels;
    private final Lanes lanes;
    private final EscapeTree[] escapes;
    private final int size;

    /** By switch: LIDs of its port 0 and of the hosts on it. */
    private final int[] loads;

    private final long[] weights;

    private int destination;
    private int lane;

    /** By switch: the channel towards the destination; {@link #NONE} there, and where none is found yet. */
    private final int[] next;

    private final long[] distances;
    private final LongHeap heap = new LongHeap();

    /** Switches whose packets use the escape tree. */
    private BitSet escaped = new BitSet();

    private int mostHops;

    /** By switch: its channel in the active plan, as far as it closes no cycle; {@link #NONE} if none. */
    private final int[] earlier;

    private long sameCount;

    /**
     * Begins with equal weights.
     *
     * @param escapes by lane; all span all switches
     * @param destinations by lane: the switches that packets may go to
     * @param loads by switch: LIDs of its port 0 and of the hosts on it
     */
    LaneTrees(SwitchChannels channels, EscapeTree[] escapes, int[][] destinations, int[] loads) {
        this.channels = channels;
        this.escapes = escapes;
        this.loads = loads;
        size = loads.length;
        lanes = new Lanes(channels, escapes.length);
        for (int each = 0; each < escapes.length; each++) {
            escapes[each].take(lanes, each, destinations[each]);
        }
        if (!lanes.sort()) {
            throw new IllegalStateException("an escape tree has a cycle");
        }
        long lids = IntStream.of(loads).sum();
        weights = new long[channels.count()];
        Arrays.fill(weights, lids * lids);
        next = new int[size];
        earlier = new int[size];
        distances = new long[size];
    }

    /**
     * Adds the turns of an existing tree. All kept turns are added before the first tree grows.
     *
     * @param channelOf by switch: its previous channel; {@link Fabric#NONE} if none, or if the way is
     *     incomplete
     */
    void keep(int to, int inLane, IntUnaryOperator channelOf) {
        destination = to;
        lane = inLane;
        Arrays.fill(next, NONE);
        distances[to] = 0;
        ArrayDeque<Integer> connected = new ArrayDeque<>(List.of(to));
        while (!connected.isEmpty()) {
            int by = connected.remove();
            for (int out = channels.first(by); out < channels.first(by + 1); out++) {
                int channel = channels.back(out);
                int sw = channels.target(out);
                if (isApart(sw)
                        && channelOf.applyAsInt(sw) == channel
                        && (by == to || lanes.addOnce(channel, next[by], lane))) {
                    next[sw] = channel;
                    distances[sw] = distances[by] + weights[channel];
                    connected.add(sw);
                }
            }
        }
    }

    /**
     * Finds the tree to a LID of a switch, or of a host on it, in a lane.
     *
     * @param channelOf see {@link #keep}
     */
    void grow(int to, int inLane, IntUnaryOperator channelOf) {
        keep(to, inLane, channelOf);
        System.arraycopy(next, 0, earlier, 0, size);
        escaped = new BitSet();
        int mark = lanes.mark();
        heap.clear();
        for (int sw = 0; sw < size; sw++) {
            if (!isApart(sw)) {
                offerNeighbours(sw);
            }
        }
        join();
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (int sw = 0; sw < size; sw++) {
                if (isApart(sw) && bend(sw)) {
                    isMore = true;
                    offerNeighbours(sw);
                    join();
                }
            }
        }
        if (IntStream.range(0, size).anyMatch(this::isApart)) {
            escape();
            lanes.undo(mark);
            takeTurns();
        }
        addLoad();
    }

    private boolean isApart(int sw) {
        return sw != destination && next[sw] == NONE;
    }

    /** Returns the channel from a switch towards the destination; {@link Fabric#NONE} there. */
    int next(int sw) {
        return next[sw];
    }

    /**
     * Returns the switches whose packets use the escape tree, since every other way would close a cycle. Not
     * reused.
     */
    BitSet escaped() {
        return escaped;
    }

    /** Returns the hops of the longest path so far. */
    int mostHops() {
        return mostHops;
    }

    /** Returns the number of paths so far that equal those in the active plan. */
    long sameCount() {
        return sameCount;
    }

    /** Offers neighbours. Unconnected switches may join by the channel that leads to a connected one. */
    private void offerNeighbours(int sw) {
        for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
            if (isApart(channels.target(out))) {
                int channel = channels.back(out);
                heap.add(Math.min(distances[sw] + weights[channel], MOST) << CHANNEL_BITS | channel);
            }
        }
    }

    private void join() {
        while (!heap.isEmpty()) {
            int channel = (int) heap.poll() & CHANNEL;
            int sw = source(channel);
            int to = channels.target(channel);
            if (isApart(sw) && (to == destination || lanes.addOnce(channel, next[to], lane))) {
                next[sw] = channel;
                distances[sw] = distances[to] + weights[channel];
                offerNeighbours(sw);
            }
        }
    }

    private int source(int channel) {
        return channels.target(channels.back(channel));
    }

    /**
     * Joins a switch through a neighbour, which takes another way from now on together with all traffic
     * through it.
     */
    private boolean bend(int sw) {
        for (int channel = channels.first(sw); channel < channels.first(sw + 1); channel++) {
            int by = channels.target(channel);
            for (int out = channels.first(by);
                    out < channels.first(by + 1) && by != destination && next[by] != NONE;
                    out++) {
                int to = channels.target(out);
                if (out != next[by] && !isApart(to) && fits(channel, by, out)) {
                    next[by] = out;
                    next[sw] = channel;
                    distances[by] = distances[to] + weights[out];
                    distances[sw] = distances[by] + weights[channel];
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Checks whether a switch may use a channel for its present traffic and for that of one more switch; if
     * so the turns are added. A way that returns to the switch is impossible: its turns are a cycle.
     */
    private boolean fits(int joining, int sw, int out) {
        int mark = lanes.mark();
        int to = channels.target(out);
        boolean isFree = (to == destination || lanes.addOnce(out, next[to], lane)) && lanes.addOnce(joining, out, lane);
        for (int each = channels.first(sw); isFree && each < channels.first(sw + 1); each++) {
            int in = channels.back(each);
            isFree = next[channels.target(each)] != in || lanes.addOnce(in, out, lane);
        }
        if (!isFree) {
            lanes.undo(mark);
        }
        return isFree;
    }

    /**
     * Routes the unconnected switches along the escape tree, and also traffic through them that could close a
     * cycle.
     */
    private void escape() {
        int[] along = escapes[lane].towards(destination);
        ArrayDeque<Integer> waiting = new ArrayDeque<>();
        IntStream.range(0, size).filter(this::isApart).forEach(waiting::add);
        while (!waiting.isEmpty()) {
            int from = waiting.remove();
            BitSet fresh = new BitSet();
            for (int sw = from; sw != destination && !escaped.get(sw); sw = along[sw]) {
                escaped.set(sw);
                fresh.set(sw);
                next[sw] = cheapest(sw, along[sw]);
            }
            fresh.stream().forEach(sw -> {
                for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                    int in = channels.back(out);
                    int other = channels.target(out);
                    if (next[other] == in && !escaped.get(other) && !lanes.addOnce(in, next[sw], lane)) {
                        waiting.add(other);
                    }
                }
            });
        }
    }

    private int cheapest(int sw, int to) {
        int cheapest = NONE;
        for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
            boolean isCheaper = cheapest == NONE || weights[out] < weights[cheapest];
            cheapest = channels.target(out) == to && isCheaper ? out : cheapest;
        }
        return cheapest;
    }

    /** Adds the turns of the tree again, after unused ones were removed together with them. */
    private void takeTurns() {
        for (int sw = 0; sw < size; sw++) {
            int to = sw == destination ? destination : channels.target(next[sw]);
            if (to != destination && !lanes.add(next[sw], next[to], lane)) {
                throw new IllegalStateException("turns that were taken together close a cycle");
            }
        }
    }

    private void addLoad() {
        for (int from = 0; from < size; from++) {
            int hops = 0;
            boolean isSame = from != destination;
            for (int sw = from; sw != destination; sw = channels.target(next[sw])) {
                weights[next[sw]] += loads[from];
                isSame &= next[sw] == earlier[sw];
                hops++;
            }
            sameCount += isSame ? 1 : 0;
            mostHops = Math.max(mostHops, hops);
        }
    }
}
