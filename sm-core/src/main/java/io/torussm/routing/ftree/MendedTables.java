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
 * Tables of a whole tree, mended for the part of it that is there. Entries whose path is whole stay. All others lead
 * along shortest paths up and then down, where paths of hosts load cables least. Changes entries of the tables it is
 * given. One use.
 *
 * <p>For S switches of P ports and L LIDs: a step for each of S x L entries, and P steps for each entry that is mended,
 * a few times over.
 */
final class MendedTables {
    /** How often each entry that is mended is chosen, later with all others known. */
    private static final int ROUNDS = 3;

    private static final int FAR = Integer.MAX_VALUE;
    private static final byte NO_PATH = LinearForwardingTable.NO_PATH_ENTRY;

    private final Subnet subnet;
    private final Fabric fabric;
    private final Links links;
    private final Ranks ranks;
    private final byte[][] lfts;
    private final PathEnds ends;

    /** By port index of a switch: paths of hosts that leave by it. */
    private final int[] loads;

    /** By LID: switches whose path is not whole; null if all are. */
    private final @Nullable BitSet[] broken;

    /** Switches with a rank, the lowest in the tree first. */
    private final int[] fromLeaves;

    /** By switch: the switches one rank above, once for each cable. */
    private final int[][] up;

    // of the switch that is the destination
    private int destination;
    private final int[] hops;
    private final BitSet above = new BitSet();
    private int[] byHops = {};

    // of a destination LID
    private final int[] flow;

    /** @param lfts lfts of the whole tree, by switch of the subnet */
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
                .filter(sw -> ranks.of(sw) != Ranks.FAR)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> -ranks.of(sw)))
                .mapToInt(sw -> sw)
                .toArray();
        up = new int[lfts.length][0];
        for (int sw : fromLeaves) {
            int own = sw;
            up[sw] = IntStream.rangeClosed(fabric.port(sw, 1), fabric.port(sw, fabric.numPorts(sw)))
                    .map(links::behind)
                    .filter(next -> next != Fabric.NONE && ranks.of(next) == ranks.of(own) - 1)
                    .toArray();
        }
        hops = new int[lfts.length];
        flow = new int[lfts.length];
    }

    /** Mends the tables. */
    byte[][] mended() {
        int[][] lids = lidsBySwitch();
        int[] destinations = IntStream.range(0, lids.length)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> firstOfHosts(lids[sw])))
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

    /** Returns the first LID of hosts. Hosts keep their LIDs if the switch to which they are attached is replaced. */
    private int firstOfHosts(int[] lids) {
        return Arrays.stream(lids).filter(this::isOfHost).findFirst().orElse(FAR);
    }

    private boolean isOfHost(int lid) {
        return !fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)));
    }

    private int[][] lidsBySwitch() {
        int[][] lids = new int[lfts.length][0];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE && ranks.of(sw) != Ranks.FAR) {
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

    /** Finds which switches are above a destination, and how far all are from it. */
    private void measure(int sw) {
        destination = sw;
        Arrays.fill(hops, FAR);
        above.clear();
        hops[sw] = 0;
        for (int each : fromLeaves) {
            if (hops[each] != FAR) {
                for (int next : up[each]) {
                    hops[next] = hops[each] + 1;
                    above.set(next);
                }
            }
        }
        for (int i = fromLeaves.length - 1; i >= 0; i--) {
            int each = fromLeaves[i];
            if (each != sw && !above.get(each)) {
                for (int next : up[each]) {
                    if (hops[next] != FAR) {
                        hops[each] = Math.min(hops[each], hops[next] + 1);
                    }
                }
            }
        }
        sortByHops();
    }

    private void sortByHops() {
        int farthest = Arrays.stream(hops).filter(each -> each != FAR).max().orElse(0);
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

    /** Checks whether a port leads a hop nearer: down from switches above the destination, up from all others. */
    private boolean leads(int sw, int port) {
        int next = links.behind(port);
        if (next == Fabric.NONE || hops[next] != hops[sw] - 1) {
            return false;
        }
        return above.get(sw)
                ? ranks.of(next) == ranks.of(sw) + 1 && (above.get(next) || next == destination)
                : ranks.of(next) == ranks.of(sw) - 1;
    }

    private int port(int sw, int lid) {
        int portNum = lfts[sw][lid] & 0xff;
        return portNum == 0 || portNum > fabric.numPorts(sw) ? Fabric.NONE : fabric.port(sw, portNum);
    }

    private void findBroken(int lid) {
        BitSet found = new BitSet();
        for (int sw : byHops) {
            int port = sw == destination ? Fabric.NONE : port(sw, lid);
            boolean isWhole =
                    sw == destination || (port != Fabric.NONE && leads(sw, port) && !found.get(links.behind(port)));
            if (!isWhole) {
                found.set(sw);
            }
        }
        for (int sw = 0; sw < lfts.length; sw++) {
            if (hops[sw] == FAR) {
                lfts[sw][lid] = NO_PATH;
            }
        }
        broken[lid] = found.isEmpty() ? null : found;
    }

    /** Adds to loads, or takes from them, the paths to a host's LID: those that are mended, or all others. */
    private void addPaths(int lid, int times, boolean isMended) {
        if (!isOfHost(lid)) {
            return;
        }
        BitSet mended = broken[lid];
        Arrays.fill(flow, 0);
        for (int i = byHops.length - 1; i > 0; i--) {
            int sw = byHops[i];
            flow[sw] += (mended != null && mended.get(sw)) == isMended ? ends.on(sw) : 0;
            if (flow[sw] > 0) {
                int port = port(sw, lid);
                loads[port] += times * flow[sw];
                flow[links.behind(port)] += flow[sw];
            }
        }
    }

    /** Chooses entries from the destination on, each with the loads of those before it. */
    private void choose(int lid) {
        BitSet mended = broken[lid];
        for (int sw : byHops) {
            if (mended == null || !mended.get(sw)) {
                continue;
            }
            int best = Fabric.NONE;
            double least = Double.POSITIVE_INFINITY;
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                double cost = leads(sw, port) ? cost(sw, lid, port) : Double.POSITIVE_INFINITY;
                if (cost < least) {
                    best = port;
                    least = cost;
                }
            }
            lfts[sw][lid] = (byte) fabric.portNum(best);
            addPath(sw, lid);
        }
    }

    private void addPath(int from, int lid) {
        int paths = isOfHost(lid) ? ends.on(from) : 0;
        for (int sw = from; paths > 0 && sw != destination; ) {
            int port = port(sw, lid);
            loads[port] += paths;
            sw = links.behind(port);
        }
    }

    /** Grows so fast with loads that the most loaded cable of a path counts most. */
    private double cost(int sw, int lid, int port) {
        double cost = weight(port) * (isTakenByOthers(sw, lid, port) ? 2 : 1);
        for (int next = links.behind(port); next != destination; ) {
            int out = port(next, lid);
            cost += weight(out);
            next = links.behind(out);
        }
        return cost;
    }

    private double weight(int port) {
        double load = 1.0 + loads[port];
        double squared = load * load;
        return squared * squared * squared * squared;
    }

    /** Checks whether another LID of the same port leaves a switch there. */
    private boolean isTakenByOthers(int sw, int lid, int port) {
        int end = subnet.portOfLid(lid);
        return subnet.lmc(end) > 0
                && HostPorts.lids(subnet, end)
                        .anyMatch(other -> other != lid && (lfts[sw][other] & 0xff) == fabric.portNum(port));
    }
}
