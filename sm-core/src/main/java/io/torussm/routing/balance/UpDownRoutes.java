package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/**
 * Routes that first go up towards a root and then down, and never up again. Links are ordered, so no assignment
 * of virtual lanes has a credit loop (Schroeder et al., "Autonet", 1991).
 *
 * <p>A link leads up if a breadth-first search from the root reaches its far end earlier than its near end. A
 * forwarding table does not depend on the source of a packet. So a switch with a path of only down links to a
 * destination must use this path: the packet may already have come down. All other switches send packets up
 * towards such a switch, by a shortest path. Of several next hops, the one with the fewest routes so far is
 * chosen, then the first.
 */
public final class UpDownRoutes {
    private static final int UNREACHABLE = Integer.MAX_VALUE / 2;

    private final Subnet subnet;
    private final Fabric fabric;

    /** Switches from the top down: in the order in which the search reached them. */
    private final int[] order;

    /** By switch: its index in {@code order}. */
    private final int[] orderIndex;

    /** By switch: a number that is equal for connected switches. */
    private final int[] island;

    /** By port index: the number of LIDs that use the port. */
    private final int[] load;

    /** By switch: hops to the measured destination over down links only, {@link #UNREACHABLE} without such a path. */
    private final int[] downHops;
    /** By switch: hops to the measured destination up and then down, {@link #UNREACHABLE} without a path. */
    private final int[] upDownHops;

    private UpDownRoutes(Subnet subnet, int[] reached, int[] island) {
        this.subnet = subnet;
        this.order = reached;
        this.island = island;
        fabric = subnet.fabric();
        load = new int[fabric.portCount()];
        orderIndex = new int[reached.length];
        downHops = new int[reached.length];
        upDownHops = new int[reached.length];
        for (int i = 0; i < reached.length; i++) {
            orderIndex[reached[i]] = i;
        }
    }

    /**
     * Creates routes by distance from a root. Each part of the fabric that is not connected with the root has its
     * own root, the switch with the lowest index.
     *
     * @param root switch index
     */
    public static UpDownRoutes from(Subnet subnet, int root) {
        Fabric fabric = subnet.fabric();
        int switches = fabric.switchCount();
        int[] rank = new int[switches];
        int[] island = new int[switches];
        int[] queue = new int[switches];
        Arrays.fill(island, Fabric.NONE);
        int tail = 0;
        for (int i = 0; i < switches; i++) {
            int start = i == 0 ? root : i - 1 < root ? i - 1 : i;
            if (island[start] == Fabric.NONE) {
                island[start] = start;
                int head = tail;
                queue[tail++] = start;
                tail = measure(fabric, rank, island, queue, head, tail);
            }
        }
        return new UpDownRoutes(subnet, queue, island);
    }

    /**
     * Creates routes by a given order of switches. {@link #islands} is not valid.
     *
     * @param fromTop all switch indexes, the top first; kept, not copied
     */
    public static UpDownRoutes byOrder(Subnet subnet, int[] fromTop) {
        return new UpDownRoutes(subnet, fromTop, new int[fromTop.length]);
    }

    /**
     * Continues a breadth-first search.
     *
     * @param from index of the first switch in the queue
     * @param to length of the queue
     * @return length of the queue at the end
     */
    private static int measure(Fabric fabric, int[] rank, int[] island, int[] queue, int from, int to) {
        int tail = to;
        for (int head = from; head < tail; head++) {
            int sw = queue[head];
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int next = fabric.switchBehind(port);
                if (next != Fabric.NONE && island[next] == Fabric.NONE) {
                    island[next] = island[sw];
                    rank[next] = rank[sw] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return tail;
    }

    /** Returns the switch with the minimum sum of hops to all connected switches; the first of several. */
    public static int centre(Fabric fabric) {
        int best = 0;
        int fewest = UNREACHABLE;
        int[] rank = new int[fabric.switchCount()];
        int[] island = new int[rank.length];
        int[] queue = new int[rank.length];
        for (int sw = 0; sw < rank.length; sw++) {
            Arrays.fill(island, Fabric.NONE);
            island[sw] = sw;
            rank[sw] = 0;
            queue[0] = sw;
            int reached = measure(fabric, rank, island, queue, 0, 1);
            int sum = 0;
            for (int i = 0; i < reached; i++) {
                sum += rank[queue[i]];
            }
            if (sum < fewest) {
                fewest = sum;
                best = sw;
            }
        }
        return best;
    }

    /** Returns by switch a number that is equal for connected switches. Must not be written. */
    public int[] islands() {
        return island;
    }

    /** Returns forwarding tables {@code [switch][LID]}, as {@link io.torussm.routing.Plan#builder} takes them. */
    public byte[][] tables() {
        byte[][] lfts = new byte[order.length][subnet.topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        }
        int measured = Fabric.NONE;
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int destination = subnet.switchOfLid(lid);
            if (destination == Fabric.NONE) {
                continue;
            }
            if (destination != measured) {
                measure(destination);
                measured = destination;
            }
            int endport = subnet.portOfLid(lid);
            boolean isSwitch = fabric.isSwitch(fabric.nodeOf(endport));
            for (int sw = 0; sw < lfts.length; sw++) {
                if (sw == destination) {
                    lfts[sw][lid] = (byte) (isSwitch ? 0 : fabric.portNum(fabric.peer(endport)));
                } else if (island[sw] == island[destination]) {
                    int port = egressPort(sw);
                    load[port]++;
                    lfts[sw][lid] = (byte) fabric.portNum(port);
                }
            }
        }
        return lfts;
    }

    /**
     * Computes the hops of all switches to a destination switch, over down links only and over up links and then
     * down links. {@link #isNextHop} needs the result.
     */
    public void measure(int destination) {
        Arrays.fill(downHops, UNREACHABLE);
        Arrays.fill(upDownHops, UNREACHABLE);
        downHops[destination] = 0;
        for (int i = order.length - 1; i >= 0; i--) {
            int sw = order[i];
            for (int port = fabric.port(sw, 1);
                    downHops[sw] < UNREACHABLE && port <= fabric.port(sw, fabric.numPorts(sw));
                    port++) {
                int next = fabric.switchBehind(port);
                if (next != Fabric.NONE && isUp(sw, next)) {
                    downHops[next] = Math.min(downHops[next], downHops[sw] + 1);
                }
            }
        }
        for (int sw : order) {
            upDownHops[sw] = downHops[sw];
            for (int port = fabric.port(sw, 1);
                    downHops[sw] == UNREACHABLE && port <= fabric.port(sw, fabric.numPorts(sw));
                    port++) {
                int next = fabric.switchBehind(port);
                if (next != Fabric.NONE && isUp(sw, next)) {
                    upDownHops[sw] = Math.min(upDownHops[sw], upDownHops[next] + 1);
                }
            }
        }
    }

    /**
     * Returns the port index by which a switch sends to the measured destination; {@link Fabric#NONE} without a
     * path.
     */
    private int egressPort(int sw) {
        int best = Fabric.NONE;
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int next = fabric.switchBehind(port);
            if (next == Fabric.NONE || next == sw) {
                continue;
            }
            if (isNextHop(sw, next) && (best == Fabric.NONE || load[port] < load[best])) {
                best = port;
            }
        }
        return best;
    }

    /** Checks whether a switch may send through a neighbour to the measured destination. */
    public boolean isNextHop(int sw, int next) {
        return downHops[sw] < UNREACHABLE
                ? !isUp(sw, next) && downHops[next] + 1 == downHops[sw]
                : isUp(sw, next) && upDownHops[sw] < UNREACHABLE && upDownHops[next] + 1 == upDownHops[sw];
    }

    /** Checks whether a link from one switch to another leads up. */
    public boolean isUp(int from, int to) {
        return orderIndex[to] < orderIndex[from];
    }
}
