package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.balance.Ranks;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * Fills forwarding tables along a tree. From each destination on, switches above it are entered one after the other, and from
 * each of these all that is below it. One way up is the main one: routes are counted on it, and every switch chooses its main
 * way up by the counts, so that hosts that stand side by side are reached over different roots. One use.
 */
final class FatTreeTables {
    /** Hops are bytes in OpenSM; what is farther is not reached. */
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

    /** By switch: whether counts changed since its groups of cables down were sorted. */
    private final BitSet unsorted = new BitSet();

    /** By switch: where the next search down from a root that turns begins. */
    private final int[] turn;

    private int lid;
    private int turnsLeft;
    private boolean isCutShort;

    /**
     * Prepares empty tables.
     *
     * @param takesLevel whether cables between switches of one rank may be taken
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
     * Fills them.
     *
     * @param reverse hops that packets to I/O nodes may go up again
     * @return by switch; null if there are too many ways down and up again to follow, whose number multiplies with each hop
     */
    byte @Nullable [][] fill(int reverse) {
        routeComputeNodes();
        for (int port : tree.hosts.all()) {
            int sw = fabric.switchOf(port);
            if (!tree.hosts.computes(port) && tree.ranks.of(sw) != Ranks.FAR) {
                begin(subnet.lid(port), sw, fabric.portNum(fabric.peer(port)), 1);
                turnsLeft = TURNS * fabric.portCount();
                ascend(sw, Fabric.NONE, true, tree.hosts.serves(port) ? reverse : 0, 1);
            }
        }
        for (int sw : tree.links.order()) {
            int own = subnet.lid(fabric.port(sw, 0));
            if (tree.ranks.of(sw) != Ranks.FAR && own != 0) {
                begin(own, sw, 0, 0);
                ascend(sw, Fabric.NONE, false, 0, 0);
            }
        }
        return isCutShort ? null : lfts;
    }

    /** All leaves count for as many compute nodes as the largest has, so that what comes after it is spread alike. */
    private void routeComputeNodes() {
        int[] row = tree.leafRow();
        int most = (int) Arrays.stream(row)
                .mapToLong(sw -> tree.computePorts(sw).count())
                .max()
                .orElse(0);
        for (int sw : row) {
            int[] ports = tree.computePorts(sw).toArray();
            for (int i = 0; i < most; i++) {
                boolean isHost = i < ports.length;
                begin(isHost ? subnet.lid(fabric.peer(fabric.port(sw, ports[i]))) : 0, sw, isHost ? ports[i] : 0, 1);
                ascend(sw, Fabric.NONE, true, 0, 1);
            }
        }
        for (byte[] lft : lfts) {
            lft[0] = LinearForwardingTable.NO_PATH_ENTRY;
        }
    }

    private void begin(int destination, int sw, int portNum, int far) {
        lid = destination;
        Arrays.fill(hops, FAR);
        hops[sw] = far;
        lfts[sw][lid] = (byte) portNum;
    }

    /** Has all below a switch send up to it; false if there is nobody below. */
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

    /** Has all above a switch send down to it, and all below these up; false if there is nobody. */
    private boolean ascend(int sw, int from, boolean isMain, int reverse, int far) {
        boolean leads = descend(sw, from, far);
        if (tree.ranks.of(sw) == 0) {
            return reverse > 0 && turnAtRoot(sw, isMain, reverse, far) || leads;
        }
        PortGroup[] groups = tree.up[sw];
        sort(groups, false);
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

    /** Goes on upwards from all below a root, beginning at another each time; its hosts stand left of the switches. */
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

    /** By routes, and then from left to right; equal ones stay as they are. */
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
        return routes < 0 || routes == 0 && tree.place[a.peer] < tree.place[b.peer];
    }
}
