package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * The construction of tables along {@link LegalHops} without a credit loop. If OpenSM's tables have no credit
 * loop, they are used. Otherwise the hops to destinations that some packets reach by a turn up are replaced,
 * until no such turn or no cycle remains.
 */
public final class LegalTables {
    /** Maximum number of switches that {@link #connect} tries. */
    private static final int MAX_CANDIDATES = 16;

    private final Subnet subnet;
    private final Fabric fabric;
    private final Links links;
    private final UpDownRoutes order;

    /**
     * Creates the construction for an order of switches.
     *
     * @param order order of switches by which packets should go up first and then down
     */
    public LegalTables(Subnet subnet, Links links, UpDownRoutes order) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.links = links;
        this.order = order;
    }

    /**
     * Returns tables {@code [switch][LID]} without a credit loop.
     *
     * @param hops allowed hops; hops to some destinations are replaced if necessary
     */
    public byte[][] fillTables(BalancedTables tables, LegalHops hops) {
        byte[][] lfts = tables.fillTables(hops);
        for (BitSet turned = destinationsWithTurns(lfts);
                !turned.isEmpty() && hasCycle(lfts);
                turned = destinationsWithTurns(lfts)) {
            hops.straighten(turned, order);
            lfts = tables.fillTables(hops);
        }
        return lfts;
    }

    /**
     * Returns hops with additional paths to destinations that some switches cannot reach. All these paths go up
     * again at one switch, so that no loop closes. A tree has such a switch if a leaf is connected to all roots. In
     * other fabrics some pairs may stay without a path.
     *
     * @param hops hops whose tables have no loop
     * @param candidates switches at which packets may go up again; switches that reach more destinations are tried
     *     first, otherwise in this order
     * @return hops with additional paths; {@code hops} if no tried switch avoids loops
     */
    public LegalHops connect(BalancedTables tables, LegalHops hops, BitSet destinations, int[] candidates) {
        int switches = fabric.switchCount();
        long[] missing = new long[switches];
        for (int sw = 0; sw < switches; sw++) {
            int from = sw;
            missing[sw] =
                    destinations.stream().filter(to -> !hops.hasPath(from, to)).count();
        }
        if (Arrays.stream(missing).allMatch(count -> count == 0)) {
            return hops;
        }
        return Arrays.stream(candidates)
                .boxed()
                .sorted(Comparator.comparingLong(sw -> missing[sw]))
                .limit(MAX_CANDIDATES)
                .map(turn -> hops.withTurnAt(turn, destinations))
                .filter(more -> !hasCycle(tables.fillTables(more)))
                .findFirst()
                .orElse(hops);
    }

    /**
     * Returns the next switch on the path from a switch to a LID; {@link Fabric#NONE} for delivery or without a
     * path.
     */
    private int nextSwitch(byte[][] lfts, int sw, int lid) {
        int portNum = lfts[sw][lid] & 0xff;
        return portNum == 0 || portNum == LinearForwardingTable.NO_PATH
                ? Fabric.NONE
                : links.farSwitch(fabric.port(sw, portNum));
    }

    /** Returns the destination switches towards which some switch sends packets up that may have come down to it. */
    private BitSet destinationsWithTurns(byte[][] lfts) {
        BitSet destinations = new BitSet();
        boolean[] isBelow = new boolean[lfts.length];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            if (subnet.switchOfLid(lid) == Fabric.NONE) {
                continue;
            }
            Arrays.fill(isBelow, false);
            for (int sw = 0; sw < lfts.length; sw++) {
                int next = nextSwitch(lfts, sw, lid);
                if (next != Fabric.NONE && !order.isUp(sw, next)) {
                    isBelow[next] = true;
                }
            }
            for (int sw = 0; sw < lfts.length; sw++) {
                int next = isBelow[sw] ? nextSwitch(lfts, sw, lid) : Fabric.NONE;
                if (next != Fabric.NONE && order.isUp(sw, next)) {
                    destinations.set(subnet.switchOfLid(lid));
                }
            }
        }
        return destinations;
    }

    /**
     * Checks whether tables have a credit loop if all links have one virtual lane.
     *
     * @param lfts tables {@code [switch][LID]}: output port
     */
    public boolean hasCycle(byte[][] lfts) {
        // By port index, which is the channel that leaves there: the port numbers of the next switch for which its
        // packets wait.
        BitSet[] waits = new BitSet[fabric.portCount()];
        // By port index: the number of channels that wait for it.
        int[] waiters = new int[waits.length];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            for (int sw = 0; sw < lfts.length; sw++) {
                int next = nextSwitch(lfts, sw, lid);
                if (next == Fabric.NONE || nextSwitch(lfts, next, lid) == Fabric.NONE) {
                    continue;
                }
                int from = fabric.port(sw, lfts[sw][lid] & 0xff);
                int to = fabric.port(next, lfts[next][lid] & 0xff);
                waits[from] = waits[from] == null ? new BitSet() : waits[from];
                if (!waits[from].get(lfts[next][lid] & 0xff)) {
                    waits[from].set(lfts[next][lid] & 0xff);
                    waiters[to]++;
                }
            }
        }
        return !isAcyclic(waits, waiters);
    }

    /**
     * Checks whether channels can be removed one by one, each without a waiting channel. This is possible if and
     * only if the dependencies have no cycle.
     */
    private boolean isAcyclic(BitSet[] waits, int[] waiters) {
        int[] free = new int[waits.length];
        int count = 0;
        for (int port = 0; port < waits.length; port++) {
            if (waiters[port] == 0) {
                free[count++] = port;
            }
        }
        for (int i = 0; i < count; i++) {
            BitSet nextPorts = waits[free[i]];
            int sw = nextPorts == null ? Fabric.NONE : links.farSwitch(free[i]);
            for (int portNum = nextPorts == null ? -1 : nextPorts.nextSetBit(0);
                    portNum >= 0;
                    portNum = nextPorts.nextSetBit(portNum + 1)) {
                int port = fabric.port(sw, portNum);
                if (--waiters[port] == 0) {
                    free[count++] = port;
                }
            }
        }
        return count == waits.length;
    }
}
