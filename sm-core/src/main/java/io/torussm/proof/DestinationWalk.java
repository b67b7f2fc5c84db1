package io.torussm.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The walk of the in-trees of destination LIDs, leaves first, which collects the SLs on each channel. One thread uses
 * an instance, for one LID after the other.
 */
final class DestinationWalk {
    private static final int NONE = FabricTables.NONE;

    private final FabricTables tables;
    private final ChannelUse shape;

    /** [switch] indexes of its end ports. */
    private final List<List<Integer>> endsOfSwitch = new ArrayList<>();

    /** [switch] index of the egress port to the next switch; {@link FabricTables#NONE} if the entry leads to none. */
    private final int[] next;

    /** [switch] number of unvisited neighbours that forward to it. All zero between walks. */
    private final int[] pending;

    private final int[] queue;

    /** [ingress class, over all switches] SLs that arrive. All zero between walks. */
    private final char[] arriving;

    /** True if the current walk lost a packet. */
    private boolean isAnyLost;

    DestinationWalk(FabricTables tables, ChannelUse shape) {
        this.tables = tables;
        this.shape = shape;
        for (int sw = 0; sw < tables.switchCount; sw++) {
            endsOfSwitch.add(new ArrayList<>());
        }
        for (int end = 0; end < tables.endports.length; end++) {
            if (tables.endports[end].sw() != NONE) {
                endsOfSwitch.get(tables.endports[end].sw()).add(end);
            }
        }
        next = new int[tables.switchCount];
        pending = new int[tables.switchCount];
        queue = new int[tables.switchCount];
        arriving = new char[shape.firstClass[tables.switchCount]];
    }

    /**
     * Walks the packets to a LID from all hosts, or from all ports 0 of switches.
     *
     * @param lid LID of an end port at a switch
     * @param fromSwitches false for packets of hosts, true for packets of ports 0
     * @param use receives the SLs
     * @return whether all packets arrive
     */
    boolean walk(int lid, boolean fromSwitches, ChannelUse use) {
        isAnyLost = false;
        for (int sw = 0; sw < next.length; sw++) {
            next[sw] = tables.linkTo(sw, lid);
            if (next[sw] != NONE) {
                pending[tables.farSwitch[next[sw]]]++;
            }
        }
        int tail = 0;
        for (int sw = 0; sw < next.length; sw++) {
            if (pending[sw] == 0) {
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            inject(sw, lid, fromSwitches);
            if (next[sw] == NONE) {
                handleEnd(sw, lid);
                continue;
            }
            forward(sw, use, arriving);
            int to = tables.farSwitch[next[sw]];
            if (--pending[to] == 0) {
                queue[tail++] = to;
            }
        }
        if (tail < next.length) {
            walkLoops(lid, fromSwitches, use);
        }
        return !isAnyLost;
    }

    /** Adds the packets that end ports at a switch send. */
    private void inject(int sw, int lid, boolean fromSwitches) {
        for (int end : endsOfSwitch.get(sw)) {
            if (tables.endports[end].isSwitch() == fromSwitches && end != tables.endportOfLid[lid]) {
                int sl = tables.sl(end, lid);
                if (sl != NONE) {
                    int in = tables.firstPort[sw] + tables.endports[end].switchPort();
                    arriving[shape.classOf[in]] |= (char) (1 << sl);
                }
            }
        }
    }

    /** Records the SLs that arrive at a switch, moves them to the next switch, and clears them. */
    private void forward(int sw, ChannelUse use, char[] there) {
        int port = next[sw];
        int to = tables.farSwitch[port];
        int nextPortNum = next[to] == NONE ? NONE : next[to] - tables.firstPort[to];
        int all = 0;
        for (int ingress = shape.firstClass[sw]; ingress < shape.firstClass[sw + 1]; ingress++) {
            int sls = there[ingress];
            if (sls != 0) {
                there[ingress] = 0;
                int passing = shape.passingSls(sw, ingress, port - tables.firstPort[sw], sls);
                isAnyLost |= passing != sls;
                use.add(sw, ingress, port, nextPortNum, passing);
                all |= passing;
            }
        }
        arriving[shape.classOf[tables.farPort[port]]] |= (char) all;
    }

    /** Handles packets at a switch that forwards to no other switch: the destination, or the place of a loss. */
    private void handleEnd(int sw, int lid) {
        FabricTables.EndPort destination = tables.endports[tables.endportOfLid[lid]];
        boolean isDestination = sw == destination.sw() && tables.lft(sw, lid) == destination.switchPort();
        for (int ingress = shape.firstClass[sw]; ingress < shape.firstClass[sw + 1]; ingress++) {
            int sls = arriving[ingress];
            arriving[ingress] = 0;
            isAnyLost |=
                    sls != 0 && !(isDestination && shape.passingSls(sw, ingress, destination.switchPort(), sls) == sls);
        }
    }

    /**
     * Handles the unvisited switches, which forward in loops: repeats the walk until no ingress class receives a new
     * SL.
     */
    private void walkLoops(int lid, boolean fromSwitches, ChannelUse use) {
        char[] forwarded = new char[arriving.length];
        for (int sw = 0; sw < next.length; sw++) {
            if (pending[sw] != 0) {
                inject(sw, lid, fromSwitches);
            }
        }
        boolean isMoving = true;
        while (isMoving) {
            isMoving = false;
            for (int sw = 0; sw < next.length; sw++) {
                for (int at = shape.firstClass[sw]; pending[sw] != 0 && at < shape.firstClass[sw + 1]; at++) {
                    arriving[at] &= (char) ~forwarded[at];
                    forwarded[at] |= arriving[at];
                    isMoving |= arriving[at] != 0;
                    isAnyLost |= arriving[at] != 0;
                }
                if (pending[sw] != 0) {
                    forward(sw, use, arriving);
                }
            }
        }
        Arrays.fill(pending, 0);
        Arrays.fill(arriving, (char) 0);
    }
}
