package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathEnds;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a whole tree, changed (mended) for its present part. Entries whose path has no absent part stay.
 * All other entries follow shortest paths up and then down, over the cables with the fewest paths of hosts. The
 * given tables are changed. An object is used once.
 *
 * <p>The cost for S switches of P ports and L LIDs: a step for each of S x L entries, and P steps for each
 * mended entry, times {@link #ROUNDS}.
 */
final class MendedTables {
    /**
     * Number of times that each mended entry is chosen. From the second round on, the loads of all other entries are
     * known.
     */
    private static final int ROUNDS = 3;

    private static final int FAR = Integer.MAX_VALUE;
    private static final byte NO_PATH = LinearForwardingTable.NO_PATH_ENTRY;

    private final Subnet subnet;
    private final Fabric fabric;
    private final Links links;
    private final Ranks ranks;
    /** Tables {@code [switch][LID]}: output port. */
    private final byte[][] lfts;

    private final PathEnds ends;

    /** By port index of a switch: the number of paths of hosts that leave through the port. */
    private final int[] loads;

    /** By LID: the switches whose path to the LID has an absent part; null if no path has one. */
    private final @Nullable BitSet[] broken;

    /** Switches with a rank, leaves first. */
    private final int[] fromLeaves;

    /** {@code [switch]}: the switches one rank above, once for each cable. */
    private final int[][] upNeighbours;

    // The following fields belong to the switch of the current destination.
    private int destination;
    /** By switch: hops to the destination, {@link #FAR} if it cannot be reached. */
    private final int[] hops;
    /** The switches from which a path only down leads to the destination. */
    private final BitSet ancestors = new BitSet();
    /** The switches that reach the destination, by number of hops. */
    private int[] byHops = {};

    // By switch: the number of paths through it to the current LID.
    private final int[] flow;

    /** @param lfts tables of the whole tree {@code [switch of the subnet][LID]}, which are changed */
    MendedTables(Subnet subnet, Links links, Ranks ranks, byte[][] lfts) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.links = links;
        this.ranks = ranks;
        this.lfts = lfts;
        ends = new PathEnds(subnet);
        loads = new int[fabric.portCount()];
        broken = new BitSet[subnet.topLid() + 1];
        fromLeaves = IntStream.range(0, lfts.length)
                .filter(sw -> ranks.of(sw) != Ranks.UNREACHABLE)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> -ranks.of(sw)))
                .mapToInt(sw -> sw)
                .toArray();
        upNeighbours = new int[lfts.length][0];
        for (int sw : fromLeaves) {
            int lower = sw;
            upNeighbours[sw] = IntStream.rangeClosed(fabric.port(sw, 1), fabric.port(sw, fabric.numPorts(sw)))
                    .map(links::farSwitch)
                    .filter(next -> next != Fabric.NONE && ranks.of(next) == ranks.of(lower) - 1)
                    .toArray();
        }
        hops = new int[lfts.length];
        flow = new int[lfts.length];
    }

    /** Changes the tables and returns them. */
    byte[][] repair() {
        int[][] lids = lidsBySwitch();
        int[] destinations = IntStream.range(0, lids.length)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> firstHostLid(lids[sw])))
                .mapToInt(sw -> sw)
                .toArray();
        for (int sw : destinations) {
            measure(sw);
            for (int lid : lids[sw]) {
                findBroken(lid);
                addPaths(lid, 1, false);
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            for (int sw : destinations) {
                int[] mended = Arrays.stream(lids[sw])
                        .filter(lid -> broken[lid] != null)
                        .toArray();
                if (mended.length > 0) {
                    measure(sw);
                }
                for (int lid : mended) {
                    if (round > 0) {
                        addPaths(lid, -1, true);
                    }
                    choose(lid);
                }
            }
        }
        return lfts;
    }

    /**
     * Returns the first LID of a host; {@link #FAR} without hosts. Destinations are sorted by it, because hosts keep
     * their LIDs if their switch is replaced.
     */
    private int firstHostLid(int[] lids) {
        return Arrays.stream(lids).filter(this::isOfHost).findFirst().orElse(FAR);
    }

    private boolean isOfHost(int lid) {
        return !fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)));
    }

    /** Returns the LIDs {@code [switch]} of each switch and its hosts. Removes the entries of all other LIDs. */
    private int[][] lidsBySwitch() {
        int[][] lids = new int[lfts.length][0];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE && ranks.of(sw) != Ranks.UNREACHABLE) {
                lids[sw] = Arrays.copyOf(lids[sw], lids[sw].length + 1);
                lids[sw][lids[sw].length - 1] = lid;
            } else {
                for (byte[] lft : lfts) {
                    lft[lid] = NO_PATH;
                }
            }
        }
        return lids;
    }

    /** Computes the switches above a destination, and the number of hops of all switches. */
    private void measure(int sw) {
        destination = sw;
        Arrays.fill(hops, FAR);
        ancestors.clear();
        hops[sw] = 0;
        for (int current : fromLeaves) {
            if (hops[current] != FAR) {
                for (int next : upNeighbours[current]) {
                    hops[next] = hops[current] + 1;
                    ancestors.set(next);
                }
            }
        }
        for (int i = fromLeaves.length - 1; i >= 0; i--) {
            int current = fromLeaves[i];
            if (current != sw && !ancestors.get(current)) {
                for (int next : upNeighbours[current]) {
                    if (hops[next] != FAR) {
                        hops[current] = Math.min(hops[current], hops[next] + 1);
                    }
                }
            }
        }
        sortByHops();
    }

    /** Sorts the switches that reach the destination by hops, with a counting sort. */
    private void sortByHops() {
        int farthest = Arrays.stream(hops).filter(hop -> hop != FAR).max().orElse(0);
        int[] next = new int[farthest + 2];
        for (int sw : fromLeaves) {
            if (hops[sw] != FAR) {
                next[hops[sw] + 1]++;
            }
        }
        for (int i = 1; i < next.length; i++) {
            next[i] += next[i - 1];
        }
        byHops = new int[next[next.length - 1]];
        for (int sw : fromLeaves) {
            if (hops[sw] != FAR) {
                byHops[next[hops[sw]]++] = sw;
            }
        }
    }

    /**
     * Checks whether a port leads one hop nearer to the destination: down from a switch above the destination, up
     * from another switch.
     */
    private boolean isNearer(int sw, int port) {
        int next = links.farSwitch(port);
        if (next == Fabric.NONE || hops[next] != hops[sw] - 1) {
            return false;
        }
        return ancestors.get(sw)
                ? ranks.of(next) == ranks.of(sw) + 1 && (ancestors.get(next) || next == destination)
                : ranks.of(next) == ranks.of(sw) - 1;
    }

    /**
     * Returns the index of the output port of a switch for a LID; {@link Fabric#NONE} without a path, and for port
     * 0.
     */
    private int outputPort(int sw, int lid) {
        int portNum = lfts[sw][lid] & 0xff;
        return portNum == 0 || portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.port(sw, portNum);
    }

    /**
     * Finds the switches whose path to a LID has an absent part. Visits switches by hops, so the next switch is
     * known first.
     */
    private void findBroken(int lid) {
        BitSet brokenSwitches = new BitSet();
        for (int sw : byHops) {
            int port = sw == destination ? Fabric.NONE : outputPort(sw, lid);
            boolean isWhole = sw == destination
                    || (port != Fabric.NONE && isNearer(sw, port) && !brokenSwitches.get(links.farSwitch(port)));
            if (!isWhole) {
                brokenSwitches.set(sw);
            }
        }
        for (int sw = 0; sw < lfts.length; sw++) {
            if (hops[sw] == FAR) {
                lfts[sw][lid] = NO_PATH;
            }
        }
        broken[lid] = brokenSwitches.isEmpty() ? null : brokenSwitches;
    }

    /**
     * Adds the paths to a LID of a host to the loads, or subtracts them.
     *
     * @param times 1 to add, -1 to subtract
     * @param isMended true for the paths that begin at mended entries, false for all other paths
     */
    private void addPaths(int lid, int times, boolean isMended) {
        if (!isOfHost(lid)) {
            return;
        }
        BitSet mended = broken[lid];
        Arrays.fill(flow, 0);
        for (int i = byHops.length - 1; i > 0; i--) {
            int sw = byHops[i];
            flow[sw] += (mended != null && mended.get(sw)) == isMended ? ends.endCount(sw) : 0;
            if (flow[sw] > 0) {
                int port = outputPort(sw, lid);
                loads[port] += times * flow[sw];
                flow[links.farSwitch(port)] += flow[sw];
            }
        }
    }

    /** Chooses the mended entries of a LID, by hops. Each choice counts in the loads of the next. */
    private void choose(int lid) {
        BitSet mended = broken[lid];
        for (int sw : byHops) {
            if (mended == null || !mended.get(sw)) {
                continue;
            }
            int best = Fabric.NONE;
            double minCost = Double.POSITIVE_INFINITY;
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                double cost = isNearer(sw, port) ? cost(sw, lid, port) : Double.POSITIVE_INFINITY;
                if (cost < minCost) {
                    best = port;
                    minCost = cost;
                }
            }
            lfts[sw][lid] = (byte) fabric.portNum(best);
            addPath(sw, lid);
        }
    }

    /** Adds the paths of the hosts on a switch to the loads. */
    private void addPath(int from, int lid) {
        int paths = isOfHost(lid) ? ends.endCount(from) : 0;
        for (int sw = from; paths > 0 && sw != destination; ) {
            int port = outputPort(sw, lid);
            loads[port] += paths;
            sw = links.farSwitch(port);
        }
    }

    /** Returns the cost of a path through a port. The eighth power of loads makes the most loaded cable dominate. */
    private double cost(int sw, int lid, int port) {
        double cost = weight(port) * (isTakenByOthers(sw, lid, port) ? 2 : 1);
        for (int next = links.farSwitch(port); next != destination; ) {
            int outPort = outputPort(next, lid);
            cost += weight(outPort);
            next = links.farSwitch(outPort);
        }
        return cost;
    }

    private double weight(int port) {
        double load = 1.0 + loads[port];
        double squared = load * load;
        return squared * squared * squared * squared;
    }

    /** Checks whether another LID of the same end port leaves a switch through a port. */
    private boolean isTakenByOthers(int sw, int lid, int port) {
        int end = subnet.portOfLid(lid);
        return subnet.lmc(end) > 0
                && HostPorts.lids(subnet, end)
                        .anyMatch(other -> other != lid && (lfts[sw][other] & 0xff) == fabric.portNum(port));
    }
}
