package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;

/**
 * Tables along {@link LegalHops} that close no credit loop. They are OpenSM's where these close none. Where
 * they do, the ways to destinations that some packets reach by turning up again are replaced, until there is
 * no such turn, or no cycle.
 */
public final class LegalTables {
    /** Switches that are tried for turns. */
    private static final int TRIED = 16;

    private final Subnet subnet;
    private final Fabric fabric;
    private final Links links;
    private final UpDownRoutes order;

    /**
     * Prepares to look at tables.
     *
     * @param order order of switches, in which packets go up first and then down
     */
    public LegalTables(Subnet subnet, Links links, UpDownRoutes order) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.links = links;
        this.order = order;
    }

    /**
     * Fills tables.
     *
     * @param hops hops, which are changed where that is needed
     */
    public byte[][] along(BalancedTables tables, LegalHops hops) {
        byte[][] lfts = tables.along(hops);
        for (BitSet turned = turned(lfts); !turned.isEmpty() && hasCycle(lfts); turned = turned(lfts)) {
            hops.straighten(turned, order);
            lfts = tables.along(hops);
        }
        return lfts;
    }

    /**
     * Adds paths to destinations that some switches cannot reach. All these paths turn up again at one
     * switch, so that no loop closes. There is such a switch if a leaf is connected to all roots of a tree;
     * in other fabrics some pairs may stay without a path.
     *
     * @param hops along which tables have no loop
     * @param candidates switches to turn at, in order of preference among those with equally many
     *     destinations
     * @return the same hops if there is no such switch
     */
    public LegalHops connected(BalancedTables tables, LegalHops hops, BitSet destinations, int[] candidates) {
        int switches = fabric.switchCount();
        long[] missing = new long[switches];
        for (int sw = 0; sw < switches; sw++) {
            int from = sw;
            missing[sw] =
                    destinations.stream().filter(to -> !hops.lead(from, to)).count();
        }
        if (Arrays.stream(missing).allMatch(count -> count == 0)) {
            return hops;
        }
        return Arrays.stream(candidates)
                .boxed()
                .sorted(Comparator.comparingLong(sw -> missing[sw]))
                .limit(TRIED)
                .map(turn -> hops.over(turn, destinations))
                .filter(more -> !hasCycle(tables.along(more)))
                .findFirst()
                .orElse(hops);
    }

    private int next(byte[][] lfts, int sw, int lid) {
        int portNum = lfts[sw][lid] & 0xff;
        return portNum == 0 || portNum == LinearForwardingTable.NO_PATH
                ? Fabric.NONE
                : links.behind(fabric.port(sw, portNum));
    }

    /** Returns destination switches towards which some switch sends up packets that may have come down to it. */
    private BitSet turned(byte[][] lfts) {
        BitSet turned = new BitSet();
        boolean[] isBelow = new boolean[lfts.length];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            if (subnet.switchOfLid(lid) == Fabric.NONE) {
                continue;
            }
            Arrays.fill(isBelow, false);
            for (int sw = 0; sw < lfts.length; sw++) {
                int next = next(lfts, sw, lid);
                if (next != Fabric.NONE && !order.isUp(sw, next)) {
                    isBelow[next] = true;
                }
            }
            for (int sw = 0; sw < lfts.length; sw++) {
                int next = isBelow[sw] ? next(lfts, sw, lid) : Fabric.NONE;
                if (next != Fabric.NONE && order.isUp(sw, next)) {
                    turned.set(subnet.switchOfLid(lid));
                }
            }
        }
        return turned;
    }

    /** Checks whether there would be a credit loop if all links had one virtual lane. */
    public boolean hasCycle(byte[][] lfts) {
        BitSet[] waits = new BitSet[fabric.portCount()];
        int[] waiters = new int[waits.length];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            for (int sw = 0; sw < lfts.length; sw++) {
                int next = next(lfts, sw, lid);
                if (next == Fabric.NONE || next(lfts, next, lid) == Fabric.NONE) {
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
        return !canAllGo(waits, waiters);
    }

    private boolean canAllGo(BitSet[] waits, int[] waiters) {
        int[] free = new int[waits.length];
        int count = 0;
        for (int port = 0; port < waits.length; port++) {
            if (waiters[port] == 0) {
                free[count++] = port;
            }
        }
        for (int i = 0; i < count; i++) {
            BitSet after = waits[free[i]];
            int sw = after == null ? Fabric.NONE : links.behind(free[i]);
            for (int portNum = after == null ? -1 : after.nextSetBit(0);
                    portNum >= 0;
                    portNum = after.nextSetBit(portNum + 1)) {
                int port = fabric.port(sw, portNum);
                if (--waiters[port] == 0) {
                    free[count++] = port;
                }
            }
        }
        return count == waits.length;
    }
}
