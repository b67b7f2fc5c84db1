package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/**
 * The assignment of lanes to paths from hosts. All paths begin in the first lane. While a lane has a cycle of
 * turns, the turn of the cycle with the fewest paths is removed, and its paths move to the next lane. Lanes
 * equal OpenSM's, path by path.
 */
final class CycleBreaking {
    private final Paths paths;
    private final Subnet subnet;
    private final SwitchChannels channels;

    /** By switch: its index in {@link Paths#sources}. */
    private final int[] ranks;

    private final int[] queue;

    /** A buffer for the paths over a turn: index of the source (upper 32 bits) and LID (lower 32 bits). */
    private long[] pathBuffer = new long[64];

    /** Lanes {@code [source switch][LID]}, {@link Fabric#NONE} from switches without hosts. */
    private final byte[][] lanes;
    /** Number of lanes so far. */
    private int neededLanes = 1;

    /**
     * Assigns lanes.
     *
     * @param max number of available lanes; if {@link #neededLanes} is larger, the lanes are not valid
     */
    CycleBreaking(Paths paths, int max) {
        this.paths = paths;
        subnet = paths.subnet();
        channels = paths.channels();
        lanes = paths.newTable();
        queue = new int[lanes.length];
        ranks = new int[paths.sources().length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[paths.sources()[rank]] = rank;
        }
        LaneGraph lane = new LaneGraph(paths, false);
        addAllPaths(lane);
        for (int number = 0; neededLanes <= max && !lane.isEmpty(); number++) {
            LaneGraph next = new LaneGraph(paths, true);
            breakCycles(lane, next, number, max);
            lane = next;
        }
    }

    /** Adds all paths to the first lane: by destination port, then by source switch, then by LID. */
    private void addAllPaths(LaneGraph lane) {
        for (int port : paths.targets()) {
            for (int sw : paths.sources()) {
                if (paths.hostLids(sw) > 0) {
                    for (int lid = subnet.lid(port); lid < subnet.lid(port) + (1 << subnet.lmc(port)); lid++) {
                        lanes[sw][lid] = 0;
                        lane.add(sw, lid, Fabric.NONE);
                    }
                }
            }
        }
    }

    /**
     * Breaks all cycles of a lane: moves the paths over the weakest turn of each cycle to the next lane.
     *
     * @param number index of the lane, from 0
     */
    private void breakCycles(LaneGraph lane, LaneGraph next, int number, int max) {
        int channel = lane.search();
        while (channel != Fabric.NONE && number + 2 <= max) {
            neededLanes = number + 2;
            LaneGraph.BrokenTurn broken = lane.breakCycle(channel);
            if (broken != null) {
                for (int pair : number == 0 ? pairsOver(broken) : broken.listed()) {
                    movePath(pair, lane, next, number);
                }
            }
            channel = lane.search(channel);
        }
        neededLanes = channel == Fabric.NONE ? neededLanes : number + 2;
    }

    /**
     * Moves a path to the next lane, if it is still in this lane.
     *
     * @param pair path as {@code switch * (topLid + 1) + LID}
     */
    private void movePath(int pair, LaneGraph lane, LaneGraph next, int number) {
        int sw = pair / (subnet.topLid() + 1);
        int lid = pair % (subnet.topLid() + 1);
        if (lanes[sw][lid] == number) {
            lane.remove(sw, lid);
            next.add(sw, lid, pair);
            lanes[sw][lid]++;
        }
    }

    /**
     * Returns the paths in the first lane that take a turn, in the order in which they were added. They are
     * computed, because lists of all paths of the first lane would take too much memory.
     */
    private int[] pairsOver(LaneGraph.BrokenTurn turn) {
        int sw = channels.target(channels.reverse(turn.held()));
        int next = channels.target(turn.held());
        int count = 0;
        for (int port : paths.targets()) {
            int first = count;
            for (int lid = subnet.lid(port); lid < subnet.lid(port) + (1 << subnet.lmc(port)); lid++) {
                if (paths.leadsInto(sw, lid, turn.held()) && paths.leadsInto(next, lid, turn.wanted())) {
                    count = addUpstream(sw, lid, count);
                }
            }
            Arrays.sort(pathBuffer, first, count);
        }
        int[] pairs = new int[count];
        for (int i = 0; i < count; i++) {
            int from = paths.sources()[(int) (pathBuffer[i] >>> Integer.SIZE)];
            pairs[i] = from * (subnet.topLid() + 1) + (int) pathBuffer[i];
        }
        return pairs;
    }

    /**
     * Adds the paths to a LID that pass through a switch or begin there to {@code pathBuffer}.
     *
     * @param before number of paths in {@code pathBuffer}
     * @return new number of paths
     */
    private int addUpstream(int sw, int lid, int before) {
        int count = before;
        int tail = 1;
        queue[0] = sw;
        for (int head = 0; head < tail; head++) {
            int from = queue[head];
            if (lanes[from][lid] == 0) {
                pathBuffer = count == pathBuffer.length ? Arrays.copyOf(pathBuffer, 2 * count) : pathBuffer;
                pathBuffer[count++] = (long) ranks[from] << Integer.SIZE | lid;
            }
            for (int out = channels.first(from); out < channels.first(from + 1); out++) {
                if (paths.leadsInto(channels.target(out), lid, channels.reverse(out))) {
                    queue[tail++] = channels.target(out);
                }
            }
        }
        return count;
    }

    /** Returns lanes {@code [source switch][LID]}, {@link Fabric#NONE} from switches without hosts. */
    byte[][] lanes() {
        return lanes;
    }

    /** Returns the number of lanes that are needed, which may exceed the available number. */
    int neededLanes() {
        return neededLanes;
    }
}
