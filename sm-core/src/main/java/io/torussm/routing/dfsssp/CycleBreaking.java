package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.Channels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The lanes of paths from hosts: all begin in the first one, and where paths wait for each other in a circle those over its weakest
 * turn go to the next. Lanes are OpenSM's, path by path.
 */
final class CycleBreaking {
    /** More lanes than anybody has. */
    private static final int MOST = 64;

    private final Paths paths;
    private final Subnet subnet;
    private final Channels channels;

    /** By switch: its place among sources. */
    private final int[] ranks;

    private final int[] queue;
    private final byte[][] lanes;
    private int needed = 1;

    CycleBreaking(Paths paths) {
        this.paths = paths;
        subnet = paths.subnet();
        channels = paths.channels();
        lanes = paths.table();
        queue = new int[lanes.length];
        ranks = new int[paths.sources().length];
        for (int rank = 0; rank < ranks.length; rank++) {
            ranks[paths.sources()[rank]] = rank;
        }
        LaneGraph lane = new LaneGraph(paths, false);
        fill(lane);
        for (int number = 0; number < MOST && !lane.isEmpty(); number++) {
            LaneGraph next = new LaneGraph(paths, true);
            empty(lane, next, number);
            lane = next;
        }
    }

    /** All in the first lane: by destination port, then by switch, then by LID. */
    private void fill(LaneGraph lane) {
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

    /** Moves to the next lane what closes cycles in one. */
    private void empty(LaneGraph lane, LaneGraph next, int number) {
        int channel = lane.search(lane.root());
        while (channel != Fabric.NONE) {
            needed = number + 2;
            LaneGraph.Broken broken = lane.breakCycle(channel);
            if (broken != null) {
                for (int pair : number == 0 ? pairsOver(broken) : broken.listed()) {
                    move(pair, lane, next, number);
                }
            }
            channel = lane.search(channel);
        }
    }

    private void move(int pair, LaneGraph lane, LaneGraph next, int number) {
        int sw = pair / (subnet.topLid() + 1);
        int lid = pair % (subnet.topLid() + 1);
        if (lanes[sw][lid] == number) {
            lane.remove(sw, lid);
            next.add(sw, lid, pair);
            lanes[sw][lid]++;
        }
    }

    /** The paths in the first lane that take a turn, in the order in which they came: to list them all takes too much memory. */
    private int[] pairsOver(LaneGraph.Broken turn) {
        int[] pairs = {};
        for (int port : paths.targets()) {
            int lid = subnet.lid(port);
            long[] found = LongStream.range(lid, lid + (1 << subnet.lmc(port)))
                    .flatMap(each -> over(turn, (int) each))
                    .sorted()
                    .toArray();
            int count = pairs.length;
            pairs = Arrays.copyOf(pairs, count + found.length);
            for (long each : found) {
                pairs[count++] = paths.sources()[(int) (each >>> Integer.SIZE)] * (subnet.topLid() + 1) + (int) each;
            }
        }
        return pairs;
    }

    /** Those of them that lead to a LID: place among sources, and LID. */
    private LongStream over(LaneGraph.Broken turn, int lid) {
        int sw = channels.target(channels.back(turn.held()));
        if (!paths.leadsInto(sw, lid, turn.held())
                || !paths.leadsInto(channels.target(turn.held()), lid, turn.wanted())) {
            return LongStream.empty();
        }
        int count = 1;
        queue[0] = sw;
        for (int head = 0; head < count; head++) {
            for (int out = channels.first(queue[head]); out < channels.first(queue[head] + 1); out++) {
                if (paths.leadsInto(channels.target(out), lid, channels.back(out))) {
                    queue[count++] = channels.target(out);
                }
            }
        }
        return Arrays.stream(queue, 0, count)
                .filter(from -> lanes[from][lid] == 0)
                .mapToLong(from -> (long) ranks[from] << Integer.SIZE | lid);
    }

    /** By switch, then by LID: the lane; {@link Fabric#NONE} from switches without hosts. */
    byte[][] lanes() {
        return lanes;
    }

    /** Lanes that it takes. */
    int needed() {
        return needed;
    }
}
