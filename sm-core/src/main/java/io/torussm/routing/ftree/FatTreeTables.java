package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.balance.Ranks;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The forwarding tables of a tree. From each destination the search visits the switches above it in turn, and
 * from each of these all switches below. One way up is the main one. Routes on it are counted, and every
 * switch chooses its main way up by the counts. So adjacent hosts are reached over different roots. One use.
 *
 * <p>All ports are routed by their base LIDs first, and then by their further LIDs in turn. The main way of a
 * further LID leaves each switch to the right of the way of the previous LID. So the LIDs of a port lead over
 * different roots. A turn to the right of all ways keeps them as balanced as they were.
 */
final class FatTreeTables {
    /** The limit of hops, which are bytes in OpenSM; a switch farther away is not reached. */
    private static final int FAR = 255;

    /** Turns to one destination, for each port that there is, before it is given up. */
    private static final int TURNS = 256;

    private final Subnet subnet;
    private final Fabric fabric;
    private final FatTree tree;
    private final byte[][] lfts;
    private final boolean takesLevel;

    /** By switch: hops to the destination that is being routed, the last one to a host included. */
    private final int[] hops;

    /** By switch: true if counts changed since its groups of cables down were sorted. */
    private final BitSet unsorted = new BitSet();

    /** By switch: where the next search down from a root that turns begins. */
    private final int[] turn;

    /** By port index of a host with several LIDs: the cables that the main ways of its LIDs took up so far. */
    private final Map<Integer, List<PortGroup>> mainWays = new HashMap<>();

    /** The groups that the current port uses. */
    private List<PortGroup> usedGroups = new ArrayList<>();

    private int lid;
    private int turnsLeft;
    private boolean isCutShort;

    /**
     * Prepares empty tables.
     *
     * @param takesLevel true if cables between switches of one rank may be used
     */
    FatTreeTables(Subnet subnet, FatTree tree, boolean takesLevel) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.tree = tree;
        this.takesLevel = takesLevel;
        lfts = new byte[fabric.switchCount()][subnet.topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        }
        hops = new int[lfts.length];
        turn = new int[lfts.length];
    }

    /**
     * Fills the tables.
     *
     * @param reverse hops that packets to I/O nodes may go up again
     * @return by switch; null if there are too many ways down and up again to follow, whose number multiplies
     *     with each hop
     */
    byte @Nullable [][] fill(int reverse) {
        for (int nth = 0; nth < 1 << subnet.maxLmc(); nth++) {
            routeComputeNodes(nth);
            for (int port : tree.hosts.all()) {
                int sw = fabric.switchOf(port);
                if (!tree.hosts.computes(port) && tree.ranks.of(sw) != Ranks.FAR && nth < 1 << subnet.lmc(port)) {
                    begin(port, nth);
                    turnsLeft = TURNS * fabric.portCount();
                    ascend(sw, Fabric.NONE, true, tree.hosts.serves(port) ? reverse : 0, 1);
                }
            }
            for (int sw : tree.links.order()) {
                int port = fabric.port(sw, 0);
                if (tree.ranks.of(sw) != Ranks.FAR && subnet.lid(port) != 0 && nth < 1 << subnet.lmc(port)) {
                    begin(subnet.lid(port) + nth, sw, 0, 0);
                    ascend(sw, Fabric.NONE, false, 0, 0);
                }
            }
        }
        return isCutShort ? null : lfts;
    }

    /**
     * Routes to compute nodes. Every leaf counts as many of them as the largest, so that later destinations are
     * distributed evenly.
     */
    private void routeComputeNodes(int nth) {
        int[] row = tree.leafRow();
        int max = (int) Arrays.stream(row)
                .mapToLong(sw -> tree.computePorts(sw).count())
                .max()
                .orElse(0);
        for (int sw : row) {
            int[] ports = tree.computePorts(sw)
                    .map(portNum -> fabric.peer(fabric.port(sw, portNum)))
                    .toArray();
            for (int i = 0; i < max; i++) {
                if (i < ports.length && nth < 1 << subnet.lmc(ports[i])) {
                    begin(ports[i], nth);
                } else {
                    begin(0, sw, 0, 1);
                    usedGroups = new ArrayList<>();
                }
                ascend(sw, Fabric.NONE, true, 0, 1);
            }
        }
        for (byte[] lft : lfts) {
            lft[0] = LinearForwardingTable.NO_PATH_ENTRY;
        }
    }

    /** Begins with a LID of a host's port, counted from its base LID. */
    private void begin(int port, int nth) {
        int far = fabric.peer(port);
        begin(subnet.lid(port) + nth, fabric.nodeOf(far), fabric.portNum(far), 1);
        usedGroups =
                subnet.lmc(port) == 0 ? new ArrayList<>() : mainWays.computeIfAbsent(port, first -> new ArrayList<>());
    }

    private void begin(int destination, int sw, int portNum, int far) {
        lid = destination;
        Arrays.fill(hops, FAR);
        hops[sw] = far;
        lfts[sw][lid] = (byte) portNum;
    }

    /** Routes all switches below a switch up to it; false if there are none. */
    private boolean descend(int sw, int from, int far) {
        PortGroup[] groups = tree.down[sw];
        if (groups.length == 0 && tree.hostPorts[sw].length == 0) {
            return false;
        }
        if (unsorted.get(sw)) {
            sort(groups, true);
            unsorted.clear(sw);
        }
        sort(tree.level[sw], true);
        boolean leads = tree.hostPorts[sw].length > 0;
        leads |= descend(sw, groups, from, far);
        if (lid != 0 && takesLevel) {
            leads |= descend(sw, tree.level[sw], from, far);
        }
        if (leads) {
            turn[sw] = (turn[sw] + 1) % (groups.length + tree.hostPorts[sw].length);
        }
        return leads;
    }

    private boolean descend(int sw, PortGroup[] groups, int from, int far) {
        boolean leads = false;
        for (PortGroup group : groups) {
            if (group.peer == from || !isNearer(group.peer, far + 1)) {
                continue;
            }
            int cable = group.leastUp();
            enter(group, cable, far + 1);
            if (descend(group.peer, Fabric.NONE, far + 1)) {
                leads = true;
                group.countUp(cable);
                unsorted.set(sw);
            }
        }
        return leads;
    }

    /**
     * Routes all switches above a switch down to it, and all switches below these up; false if there are
     * none.
     */
    private boolean ascend(int sw, int from, boolean isMain, int reverse, int far) {
        boolean leads = descend(sw, from, far);
        if (tree.ranks.of(sw) == 0) {
            return (reverse > 0 && turnAtRoot(sw, isMain, reverse, far)) || leads;
        }
        PortGroup[] groups = tree.up[sw];
        sort(groups, false);
        if (isMain) {
            putMainFirst(groups);
            usedGroups.add(groups[0]);
        }
        PortGroup first = groups[0];
        if (isMain) {
            int cable = first.leastDown();
            first.countDown(cable);
            if (isNearer(first.peer, far + 1)) {
                enter(first, cable, far + 1);
            }
            leads |= ascend(first.peer, sw, true, reverse, far + 1);
        }
        for (int i = isMain ? 1 : 0; i < groups.length; i++) {
            PortGroup group = groups[i];
            if (isNearer(group.peer, far + 1)) {
                enter(group, group.leastDown(), far + 1);
                leads |= ascend(group.peer, sw, false, reverse, far + 1);
            }
        }
        leads |= ascendLevel(sw, first, reverse, far);
        if (reverse > 0 && !tree.leaves.get(sw)) {
            for (PortGroup group : tree.down[sw]) {
                leads |= turnAt(group, sw, true, reverse, far);
            }
        }
        return leads;
    }

    /**
     * Puts that group first which the LIDs of the port took least, the next to the right of the last that
     * they took.
     */
    private void putMainFirst(PortGroup[] groups) {
        PortGroup last = null;
        for (PortGroup way : usedGroups) {
            last = Arrays.asList(groups).contains(way) ? way : last;
        }
        if (last == null) {
            return;
        }
        int best = 0;
        for (int i = 1; i < groups.length; i++) {
            best = isRather(groups[i], groups[best], last) ? i : best;
        }
        PortGroup main = groups[best];
        System.arraycopy(groups, 0, groups, 1, best);
        groups[0] = main;
    }

    private boolean isRather(PortGroup a, PortGroup b, PortGroup last) {
        int uses = Integer.compare(Collections.frequency(usedGroups, a), Collections.frequency(usedGroups, b));
        boolean isRight = isRightOf(a, last);
        return uses < 0
                || (uses == 0 && (isRight == isRightOf(b, last) ? tree.place[a.peer] < tree.place[b.peer] : isRight));
    }

    private boolean isRightOf(PortGroup group, PortGroup last) {
        return tree.place[group.peer] > tree.place[last.peer];
    }

    private boolean ascendLevel(int sw, PortGroup first, int reverse, int far) {
        boolean leads = false;
        PortGroup[] groups = tree.level[sw];
        sort(groups, false);
        for (int i = 0; takesLevel && i < groups.length; i++) {
            PortGroup group = groups[i];
            if (isNearer(group.peer, far + 1)) {
                int cable = group.leastDown();
                enter(group, cable, far + 1);
                if (ascend(group.peer, sw, false, reverse, far + 1)) {
                    leads = true;
                    first.down++;
                    group.countCableDown(cable);
                }
            }
        }
        return leads;
    }

    /**
     * Continues upwards from all switches below a root, beginning at another one each time. Its hosts count
     * as left of the switches.
     */
    private boolean turnAtRoot(int sw, boolean isMain, int reverse, int far) {
        boolean leads = false;
        PortGroup[] groups = tree.down[sw];
        int ofHosts = tree.hostPorts[sw].length;
        int all = groups.length + ofHosts;
        turn[sw] = (turn[sw] + 1) % all;
        int start = turn[sw];
        for (int i = 0; i < all; i++) {
            int at = (start + i) % all;
            if (at >= ofHosts) {
                leads |= turnAt(groups[at - ofHosts], sw, isMain, reverse, far);
            }
        }
        return leads;
    }

    private boolean turnAt(PortGroup group, int sw, boolean isMain, int reverse, int far) {
        isCutShort |= --turnsLeft < 0;
        return far + 1 < FAR && !isCutShort && ascend(group.peer, sw, isMain, reverse - 1, far + 1);
    }

    private boolean isNearer(int sw, int far) {
        return far < hops[sw];
    }

    private void enter(PortGroup group, int cable, int far) {
        lfts[group.peer][lid] = (byte) fabric.portNum(fabric.peer(group.ports[cable]));
        hops[group.peer] = far;
    }

    /** Sorts by routes, and then from left to right; equal ones stay as they are. */
    private void sort(PortGroup[] groups, boolean isUp) {
        for (int i = 1; i < groups.length; i++) {
            PortGroup group = groups[i];
            int at = i;
            for (; at > 0 && isBefore(group, groups[at - 1], isUp); at--) {
                groups[at] = groups[at - 1];
            }
            groups[at] = group;
        }
    }

    private boolean isBefore(PortGroup a, PortGroup b, boolean isUp) {
        int routes = isUp ? Integer.compare(a.up, b.up) : Integer.compare(a.down, b.down);
        return routes < 0 || (routes == 0 && tree.place[a.peer] < tree.place[b.peer]);
    }
}
