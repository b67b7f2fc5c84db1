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
 * The forwarding tables of a tree, by OpenSM's algorithm. For each destination, the search visits the switches
 * above it, and from each of them all switches below, and enters the way back to the destination. One group of
 * cables up is the main way. Routes on the main way are counted, and each switch chooses the group with the
 * lowest count. So adjacent hosts are reached over different roots. An object is used once.
 *
 * <p>All ports are routed by their base LIDs first, and then by their further LIDs in turn. The main way of a
 * further LID leaves each switch one group to the right of the main way of the previous LID. So the LIDs of a
 * port are reached over different roots. All main ways move to the right alike, so they stay balanced.
 */
final class FatTreeTables {
    /** The number of hops of a switch that is not reached. It is the limit, because OpenSM counts hops in a byte. */
    private static final int UNREACHABLE = 255;

    /** The maximum number of turns for one destination, as a multiple of the number of ports of the fabric. */
    private static final int MAX_TURNS_PER_PORT = 256;

    private final Subnet subnet;
    private final Fabric fabric;
    private final FatTree tree;
    /** Tables {@code [switch][LID]}: output port. */
    private final byte[][] lfts;
    /** True if cables between switches of one rank may be used. */
    private final boolean takesLevel;

    /**
     * By switch: hops to the current destination, including the last hop to a host; {@link #UNREACHABLE} if not yet
     * reached.
     */
    private final int[] hops;

    /** The switches whose groups of cables down have changed counts since they were sorted. */
    private final BitSet unsorted = new BitSet();

    /** By switch: the index at which the next turn at this root begins. */
    private final int[] nextTurn;

    /** By port index of a host with several LIDs: the groups that the main ways of its LIDs have used so far. */
    private final Map<Integer, List<PortGroup>> mainGroups = new HashMap<>();

    /** The groups that the main ways of the current port have used. */
    private List<PortGroup> usedGroups = new ArrayList<>();

    /** The current destination; 0 for a missing compute node, whose route is only counted. */
    private int lid;

    private int turnsLeft;
    /** True if the turns for some destination exceeded their limit. */
    private boolean isCutShort;

    /**
     * Creates empty tables.
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
        nextTurn = new int[lfts.length];
    }

    /**
     * Fills the tables.
     *
     * @param reverse maximum number of hops up that packets to I/O nodes may take after a hop down
     * @return tables {@code [switch][LID]}; null if there are too many ways with turns, whose number multiplies with
     *     each reverse hop
     */
    byte @Nullable [][] fill(int reverse) {
        for (int nth = 0; nth < 1 << subnet.maxLmc(); nth++) {
            routeComputeNodes(nth);
            for (int port : tree.hosts.hostPorts()) {
                int sw = fabric.switchOf(port);
                if (!tree.hosts.isComputeNode(port)
                        && tree.ranks.of(sw) != Ranks.UNREACHABLE
                        && nth < 1 << subnet.lmc(port)) {
                    begin(port, nth);
                    turnsLeft = MAX_TURNS_PER_PORT * fabric.portCount();
                    ascend(sw, Fabric.NONE, true, tree.hosts.isIoNode(port) ? reverse : 0, 1);
                }
            }
            for (int sw : tree.links.order()) {
                int port = fabric.port(sw, 0);
                if (tree.ranks.of(sw) != Ranks.UNREACHABLE && subnet.lid(port) != 0 && nth < 1 << subnet.lmc(port)) {
                    begin(subnet.lid(port) + nth, sw, 0, 0);
                    ascend(sw, Fabric.NONE, false, 0, 0);
                }
            }
        }
        return isCutShort ? null : lfts;
    }

    /**
     * Routes to the compute nodes of all leaves. On each leaf, missing compute nodes up to the maximum of all leaves
     * are counted as LID 0, so that later destinations are distributed evenly.
     *
     * @param nth distance of the LIDs from the base LID
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

    /**
     * Begins the search for a LID of a host port.
     *
     * @param port port index
     * @param nth distance of the LID from the base LID
     */
    private void begin(int port, int nth) {
        int far = fabric.peer(port);
        begin(subnet.lid(port) + nth, fabric.nodeOf(far), fabric.portNum(far), 1);
        usedGroups = subnet.lmc(port) == 0
                ? new ArrayList<>()
                : mainGroups.computeIfAbsent(port, first -> new ArrayList<>());
    }

    /**
     * Begins the search for a LID.
     *
     * @param sw switch of the destination
     * @param portNum port of the switch that leads to the destination, 0 for the switch itself
     * @param far hops from the switch to the destination
     */
    private void begin(int destination, int sw, int portNum, int far) {
        lid = destination;
        Arrays.fill(hops, UNREACHABLE);
        hops[sw] = far;
        lfts[sw][lid] = (byte) portNum;
    }

    /**
     * Enters routes up to a switch in all switches below it.
     *
     * @param from neighbour to leave out, from which the search came; {@link Fabric#NONE} for no neighbour
     * @param far hops from the switch to the destination
     * @return true if a host is attached to the switch or to a switch below that was entered
     */
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
            nextTurn[sw] = (nextTurn[sw] + 1) % (groups.length + tree.hostPorts[sw].length);
        }
        return leads;
    }

    private boolean descend(int sw, PortGroup[] groups, int from, int far) {
        boolean leads = false;
        for (PortGroup group : groups) {
            if (group.peer == from || !isNearer(group.peer, far + 1)) {
                continue;
            }
            int cable = group.leastUsedUp();
            setEntry(group, cable, far + 1);
            if (descend(group.peer, Fabric.NONE, far + 1)) {
                leads = true;
                group.countUp(cable);
                unsorted.set(sw);
            }
        }
        return leads;
    }

    /**
     * Enters routes down to a switch in all switches above it, and routes up to these in all switches below them.
     *
     * @param isMain true if this is the main way, which is counted
     * @param reverse remaining number of reverse hops
     * @return true if a host uses one of these routes
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
            int cable = first.leastUsedDown();
            first.countDown(cable);
            if (isNearer(first.peer, far + 1)) {
                setEntry(first, cable, far + 1);
            }
            leads |= ascend(first.peer, sw, true, reverse, far + 1);
        }
        for (int i = isMain ? 1 : 0; i < groups.length; i++) {
            PortGroup group = groups[i];
            if (isNearer(group.peer, far + 1)) {
                setEntry(group, group.leastUsedDown(), far + 1);
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
     * Moves the main way of the current LID to the front: the group that the LIDs of the port used least; of
     * several, the next to the right of the group that the previous LID used.
     */
    private void putMainFirst(PortGroup[] groups) {
        PortGroup last = null;
        for (PortGroup group : usedGroups) {
            last = Arrays.asList(groups).contains(group) ? group : last;
        }
        if (last == null) {
            return;
        }
        int best = 0;
        for (int i = 1; i < groups.length; i++) {
            best = isBetterMain(groups[i], groups[best], last) ? i : best;
        }
        PortGroup main = groups[best];
        System.arraycopy(groups, 0, groups, 1, best);
        groups[0] = main;
    }

    /** Checks whether group {@code a} is a better main way than group {@code b}. */
    private boolean isBetterMain(PortGroup a, PortGroup b, PortGroup last) {
        int uses = Integer.compare(Collections.frequency(usedGroups, a), Collections.frequency(usedGroups, b));
        boolean isRight = isRightOf(a, last);
        return uses < 0
                || (uses == 0
                        && (isRight == isRightOf(b, last) ? tree.position[a.peer] < tree.position[b.peer] : isRight));
    }

    private boolean isRightOf(PortGroup group, PortGroup last) {
        return tree.position[group.peer] > tree.position[last.peer];
    }

    private boolean ascendLevel(int sw, PortGroup first, int reverse, int far) {
        boolean leads = false;
        PortGroup[] groups = tree.level[sw];
        sort(groups, false);
        for (int i = 0; takesLevel && i < groups.length; i++) {
            PortGroup group = groups[i];
            if (isNearer(group.peer, far + 1)) {
                int cable = group.leastUsedDown();
                setEntry(group, cable, far + 1);
                if (ascend(group.peer, sw, false, reverse, far + 1)) {
                    leads = true;
                    first.downRoutes++;
                    group.countCableDown(cable);
                }
            }
        }
        return leads;
    }

    /**
     * Continues upwards from all switches below a root. Each call begins at the next switch. Hosts of the root count
     * as left of the switches.
     */
    private boolean turnAtRoot(int sw, boolean isMain, int reverse, int far) {
        boolean leads = false;
        PortGroup[] groups = tree.down[sw];
        int ofHosts = tree.hostPorts[sw].length;
        int total = groups.length + ofHosts;
        nextTurn[sw] = (nextTurn[sw] + 1) % total;
        int start = nextTurn[sw];
        for (int i = 0; i < total; i++) {
            int index = (start + i) % total;
            if (index >= ofHosts) {
                leads |= turnAt(groups[index - ofHosts], sw, isMain, reverse, far);
            }
        }
        return leads;
    }

    private boolean turnAt(PortGroup group, int sw, boolean isMain, int reverse, int far) {
        isCutShort |= --turnsLeft < 0;
        return far + 1 < UNREACHABLE && !isCutShort && ascend(group.peer, sw, isMain, reverse - 1, far + 1);
    }

    /** Checks whether a number of hops is less than the number of hops that a switch already has. */
    private boolean isNearer(int sw, int far) {
        return far < hops[sw];
    }

    /** Enters the current destination in the table of the peer of a group, over one of its cables. */
    private void setEntry(PortGroup group, int cable, int far) {
        lfts[group.peer][lid] = (byte) fabric.portNum(fabric.peer(group.ports[cable]));
        hops[group.peer] = far;
    }

    /** Sorts groups by number of routes, then from left to right. The sort is stable. */
    private void sort(PortGroup[] groups, boolean isUp) {
        for (int i = 1; i < groups.length; i++) {
            PortGroup group = groups[i];
            int index = i;
            for (; index > 0 && isBefore(group, groups[index - 1], isUp); index--) {
                groups[index] = groups[index - 1];
            }
            groups[index] = group;
        }
    }

    private boolean isBefore(PortGroup a, PortGroup b, boolean isUp) {
        int routes = isUp ? Integer.compare(a.upRoutes, b.upRoutes) : Integer.compare(a.downRoutes, b.downRoutes);
        return routes < 0 || (routes == 0 && tree.position[a.peer] < tree.position[b.peer]);
    }
}
