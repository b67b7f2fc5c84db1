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
 * The search for a tree of channels to each destination, one after the other. Switches join a tree by the least
 * weight (Dijkstra) if the turn of their packets closes no cycle in the lane. If a switch cannot join, a
 * neighbour changes its path so that the switch can join. If this fails, packets use the escape tree. Each tree
 * adds to the weights of its channels, so that later trees avoid them.
 */
final class LaneTrees {
    private static final int NONE = Fabric.NONE;
    /** The lower bits of an entry of the heap are a channel, the upper bits a distance. */
    private static final int CHANNEL_BITS = 23;

    private static final int CHANNEL_MASK = (1 << CHANNEL_BITS) - 1;
    /** The maximum distance in an entry of the heap. */
    private static final long MAX_DISTANCE = Long.MAX_VALUE >> CHANNEL_BITS;

    private final SwitchChannels channels;
    private final Lanes lanes;
    /** The escape tree by lane. */
    private final EscapeTree[] escapes;

    private final int size;

    /** By switch: the number of LIDs of its port 0 and of its hosts. */
    private final int[] loads;

    /** By channel: its weight. */
    private final long[] weights;

    private int destination;
    private int lane;

    /**
     * By switch: the channel towards the destination; {@link #NONE} at the destination, and for switches that have
     * not joined.
     */
    private final int[] next;

    /** By switch that has joined: the sum of weights of its path. */
    private final long[] distances;

    private final LongHeap heap = new LongHeap();

    /** The switches whose packets to the current destination use the escape tree. */
    private BitSet escaped = new BitSet();

    private int maxHops;

    /** By switch: its channel in the active plan if it closes no cycle; otherwise {@link #NONE}. */
    private final int[] activeChannel;

    private long unchangedPaths;

    /**
     * Creates the search with equal weights and the turns of the escape trees.
     *
     * @param escapes escape tree by lane; each spans all switches
     * @param destinations switches {@code [lane]} to which packets in the lane may go
     * @param loads number of LIDs of port 0 and of the hosts, by switch
     */
    LaneTrees(SwitchChannels channels, EscapeTree[] escapes, int[][] destinations, int[] loads) {
        this.channels = channels;
        this.escapes = escapes;
        this.loads = loads;
        size = loads.length;
        lanes = new Lanes(channels, escapes.length);
        for (int escapeLane = 0; escapeLane < escapes.length; escapeLane++) {
            escapes[escapeLane].addTurns(lanes, escapeLane, destinations[escapeLane]);
        }
        if (!lanes.sort()) {
            throw new IllegalStateException("an escape tree has a cycle");
        }
        long lids = IntStream.of(loads).sum();
        weights = new long[channels.count()];
        Arrays.fill(weights, lids * lids);
        next = new int[size];
        activeChannel = new int[size];
        distances = new long[size];
    }

    /**
     * Adds the turns of a tree of the active plan. All kept turns are added before the first tree grows.
     *
     * @param to switch of the destination
     * @param inLane lane of the destination
     * @param channelOf channel of the active plan by switch; {@link Fabric#NONE} if its path is incomplete
     */
    void addKeptTurns(int to, int inLane, IntUnaryOperator channelOf) {
        destination = to;
        lane = inLane;
        Arrays.fill(next, NONE);
        distances[to] = 0;
        ArrayDeque<Integer> connected = new ArrayDeque<>(List.of(to));
        while (!connected.isEmpty()) {
            int joined = connected.remove();
            for (int outgoing = channels.first(joined); outgoing < channels.first(joined + 1); outgoing++) {
                int channel = channels.reverse(outgoing);
                int sw = channels.target(outgoing);
                if (isOutside(sw)
                        && channelOf.applyAsInt(sw) == channel
                        && (joined == to || lanes.addOnce(channel, next[joined], lane))) {
                    next[sw] = channel;
                    distances[sw] = distances[joined] + weights[channel];
                    connected.add(sw);
                }
            }
        }
    }

    /**
     * Finds the tree to a LID of a switch, or of a host on it, in a lane.
     *
     * @param channelOf channel of the active plan by switch; {@link Fabric#NONE} if its path is incomplete
     */
    void grow(int to, int inLane, IntUnaryOperator channelOf) {
        addKeptTurns(to, inLane, channelOf);
        System.arraycopy(next, 0, activeChannel, 0, size);
        escaped = new BitSet();
        int mark = lanes.mark();
        heap.clear();
        for (int sw = 0; sw < size; sw++) {
            if (!isOutside(sw)) {
                offerNeighbours(sw);
            }
        }
        join();
        boolean isMore = true;
        while (isMore) {
            isMore = false;
            for (int sw = 0; sw < size; sw++) {
                if (isOutside(sw) && joinByDetour(sw)) {
                    isMore = true;
                    offerNeighbours(sw);
                    join();
                }
            }
        }
        if (IntStream.range(0, size).anyMatch(this::isOutside)) {
            escape();
            lanes.undo(mark);
            addTurns();
        }
        addLoad();
    }

    /** Checks whether a switch has not joined the tree. */
    private boolean isOutside(int sw) {
        return sw != destination && next[sw] == NONE;
    }

    /** Returns the channel from a switch towards the destination; {@link Fabric#NONE} at the destination. */
    int next(int sw) {
        return next[sw];
    }

    /**
     * Returns the switches whose packets use the escape tree, since every other path would close a cycle. The next
     * tree has a new set.
     */
    BitSet escaped() {
        return escaped;
    }

    /** Returns the hops of the longest path so far. */
    int maxHops() {
        return maxHops;
    }

    /** Returns the number of paths so far that equal those in the active plan. */
    long unchangedPaths() {
        return unchangedPaths;
    }

    /** Adds to the heap the channels by which neighbours that have not joined lead to a switch. */
    private void offerNeighbours(int sw) {
        for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
            if (isOutside(channels.target(out))) {
                int channel = channels.reverse(out);
                heap.add(Math.min(distances[sw] + weights[channel], MAX_DISTANCE) << CHANNEL_BITS | channel);
            }
        }
    }

    /** Joins switches by increasing distance. A channel is ignored if its turn would close a cycle. */
    private void join() {
        while (!heap.isEmpty()) {
            int channel = (int) heap.poll() & CHANNEL_MASK;
            int sw = source(channel);
            int to = channels.target(channel);
            if (isOutside(sw) && (to == destination || lanes.addOnce(channel, next[to], lane))) {
                next[sw] = channel;
                distances[sw] = distances[to] + weights[channel];
                offerNeighbours(sw);
            }
        }
    }

    /** Returns the switch at which a channel begins. */
    private int source(int channel) {
        return channels.target(channels.reverse(channel));
    }

    /**
     * Joins a switch through a neighbour that changes its own channel, also for all other traffic through it.
     * Returns false if no neighbour can do so without a cycle.
     */
    private boolean joinByDetour(int sw) {
        for (int channel = channels.first(sw); channel < channels.first(sw + 1); channel++) {
            int neighbour = channels.target(channel);
            for (int out = channels.first(neighbour);
                    out < channels.first(neighbour + 1) && neighbour != destination && next[neighbour] != NONE;
                    out++) {
                int to = channels.target(out);
                if (out != next[neighbour] && !isOutside(to) && addIfAcyclic(channel, neighbour, out)) {
                    next[neighbour] = out;
                    next[sw] = channel;
                    distances[neighbour] = distances[to] + weights[out];
                    distances[sw] = distances[neighbour] + weights[channel];
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Adds the turns of a switch that changes its channel, if they close no cycle; otherwise returns false. A path
     * that returns to the switch is impossible, because its turns are a cycle.
     *
     * @param joining channel of an additional switch to this switch
     * @param out new channel of the switch
     */
    private boolean addIfAcyclic(int joining, int sw, int out) {
        int mark = lanes.mark();
        int to = channels.target(out);
        boolean isFree = (to == destination || lanes.addOnce(out, next[to], lane)) && lanes.addOnce(joining, out, lane);
        for (int back = channels.first(sw); isFree && back < channels.first(sw + 1); back++) {
            int input = channels.reverse(back);
            isFree = next[channels.target(back)] != input || lanes.addOnce(input, out, lane);
        }
        if (!isFree) {
            lanes.undo(mark);
        }
        return isFree;
    }

    /**
     * Routes the switches that have not joined along the escape tree, and also switches whose turn into the escape
     * tree would close a cycle.
     */
    private void escape() {
        int[] treeNext = escapes[lane].nextSwitches(destination);
        ArrayDeque<Integer> waiting = new ArrayDeque<>();
        IntStream.range(0, size).filter(this::isOutside).forEach(waiting::add);
        while (!waiting.isEmpty()) {
            int from = waiting.remove();
            BitSet fresh = new BitSet();
            for (int sw = from; sw != destination && !escaped.get(sw); sw = treeNext[sw]) {
                escaped.set(sw);
                fresh.set(sw);
                next[sw] = cheapest(sw, treeNext[sw]);
            }
            fresh.stream().forEach(sw -> {
                for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                    int input = channels.reverse(out);
                    int other = channels.target(out);
                    if (next[other] == input && !escaped.get(other) && !lanes.addOnce(input, next[sw], lane)) {
                        waiting.add(other);
                    }
                }
            });
        }
    }

    /** Returns the channel with the least weight from a switch to a neighbour. */
    private int cheapest(int sw, int to) {
        int cheapest = NONE;
        for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
            boolean isCheaper = cheapest == NONE || weights[out] < weights[cheapest];
            cheapest = channels.target(out) == to && isCheaper ? out : cheapest;
        }
        return cheapest;
    }

    /** Adds the turns of the tree again, after the turns of the whole search were undone to remove the unused ones. */
    private void addTurns() {
        for (int sw = 0; sw < size; sw++) {
            int to = sw == destination ? destination : channels.target(next[sw]);
            if (to != destination && !lanes.add(next[sw], next[to], lane)) {
                throw new IllegalStateException("turns that were taken together close a cycle");
            }
        }
    }

    /** Adds the paths of the tree to the weights and to the statistics. */
    private void addLoad() {
        for (int from = 0; from < size; from++) {
            int hops = 0;
            boolean isSame = from != destination;
            for (int sw = from; sw != destination; sw = channels.target(next[sw])) {
                weights[next[sw]] += loads[from];
                isSame &= next[sw] == activeChannel[sw];
                hops++;
            }
            unchangedPaths += isSame ? 1 : 0;
            maxHops = Math.max(maxHops, hops);
        }
    }
}
