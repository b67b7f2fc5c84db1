package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.lanes.Lanes;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.function.IntPredicate;

/** The lanes of paths, and the assignment of further paths to lanes in which they close no cycle. */
final class LanePlacement {
    private final Paths paths;
    private final Subnet subnet;
    private final SwitchChannels channels;
    private final Lanes lanes;

    /** Lanes {@code [switch][LID]}; {@link Fabric#NONE} for a path that has no lane yet. */
    private final byte[][] laneOf;

    private final int[] trace;

    /**
     * Creates lanes with the paths that already have one.
     *
     * @param count number of available lanes, 1 to 15
     * @param laneOf lanes {@code [switch][LID]}, {@link Fabric#NONE} for a path without a lane; kept, not copied
     */
    public LanePlacement(Paths paths, int count, byte[][] laneOf) {
        this.paths = paths;
        this.laneOf = laneOf;
        subnet = paths.subnet();
        channels = paths.channels();
        lanes = new Lanes(channels, count);
        trace = new int[laneOf.length];
        int[] pending = new int[laneOf.length];
        int[] queue = new int[laneOf.length];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            if (subnet.switchOfLid(lid) != Fabric.NONE) {
                addTurns(lid, pending, queue);
            }
        }
    }

    /**
     * Adds the turns of all paths to a LID that have a lane. Visits switches in topological order, farthest first,
     * so that each turn gets the lanes of all paths through it.
     */
    private void addTurns(int lid, int[] pending, int[] queue) {
        int end = subnet.switchOfLid(lid);
        // By switch: the lanes (bit n: lane n) of paths that begin at the switch or pass through it.
        char[] passing = new char[laneOf.length];
        Arrays.fill(pending, 0);
        for (int sw = 0; sw < pending.length; sw++) {
            passing[sw] = (char) (laneOf[sw][lid] == Fabric.NONE ? 0 : 1 << laneOf[sw][lid]);
            if (sw != end) {
                pending[channels.target(paths.next(sw, lid))]++;
            }
        }
        int tail = 0;
        for (int sw = 0; sw < pending.length; sw++) {
            if (pending[sw] == 0) {
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            if (sw != end) {
                int held = paths.next(sw, lid);
                int next = channels.target(held);
                passing[next] |= passing[sw];
                if (next != end) {
                    lanes.addToLanes(held, paths.next(next, lid), passing[sw]);
                }
                if (--pending[next] == 0) {
                    queue[tail++] = next;
                }
            }
        }
    }

    /**
     * Orders the channels of all lanes. Must be called before paths are added. Returns false if a lane has a cycle.
     */
    boolean sort() {
        return lanes.sort();
    }

    /** Returns the lanes {@code [switch][LID]}; not copied. */
    byte[][] laneOf() {
        return laneOf;
    }

    /** Returns the number of lanes in use, at least 1. */
    int usedLanes() {
        int used = 1;
        for (byte[] row : laneOf) {
            for (byte lane : row) {
                used = Math.max(used, lane + 1);
            }
        }
        return used;
    }

    /** The lane in which a path is tried first. */
    interface LanePreference {
        /** Returns the lane for the path from a switch to a LID, 0 or more. */
        int lane(int sw, int lid);
    }

    /**
     * Assigns to each path without a lane the first lane, from the preferred lane on (cyclically), in which it closes
     * no cycle. Paths from switches with hosts come first. Paths are sorted by destination, so that the tree to a
     * destination gets its lanes together.
     *
     * @param isAsked selects the source switches
     * @return false if no lane fits a path from a switch with hosts; later paths then have no lane
     */
    boolean placeOthers(IntPredicate isAsked, LanePreference wish) {
        for (boolean withHosts : new boolean[] {true, false}) {
            for (int lid : paths.lids()) {
                for (int sw : paths.sources()) {
                    if (laneOf[sw][lid] == Fabric.NONE
                            && paths.hostLids(sw) > 0 == withHosts
                            && isAsked.test(sw)
                            && !place(sw, lid, wish.lane(sw, lid))
                            && withHosts) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    private boolean place(int sw, int lid, int wished) {
        int length = paths.writePath(sw, lid, trace);
        for (int i = 0; i < lanes.count(); i++) {
            int lane = (wished + i) % lanes.count();
            if (lanes.addPath(trace, length, lane)) {
                laneOf[sw][lid] = (byte) lane;
                return true;
            }
        }
        return false;
    }

    /** Adds the turns of multicast packets on a tree to a lane, if they close no cycle. Returns false otherwise. */
    boolean placeTree(MulticastTree tree, int lane) {
        int mark = lanes.mark();
        boolean isFree = true;
        for (int sw = 0; isFree && sw < laneOf.length; sw++) {
            for (int input = channels.first(sw); isFree && input < channels.first(sw + 1); input++) {
                for (int output = channels.first(sw); isFree && output < channels.first(sw + 1); output++) {
                    isFree = channels.target(input) == channels.target(output)
                            || !isIn(tree, sw, input)
                            || !isIn(tree, sw, output)
                            || lanes.add(channels.reverse(input), output, lane);
                }
            }
        }
        if (!isFree) {
            lanes.undo(mark);
        }
        return isFree;
    }

    /** Checks whether the cable of a channel that leaves a switch is part of a tree. */
    private boolean isIn(MulticastTree tree, int sw, int out) {
        int next = channels.target(out);
        return (tree.parent(next) == sw && isCable(tree, next, channels.port(out)))
                || (tree.parent(sw) == next && isCable(tree, sw, channels.port(channels.reverse(out))));
    }

    private static boolean isCable(MulticastTree tree, int child, int portAtParent) {
        for (int cable = 0; cable < tree.cableCount(child); cable++) {
            if (tree.portAtParent(child, cable) == portAtParent) {
                return true;
            }
        }
        return false;
    }
}
