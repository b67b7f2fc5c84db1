package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A fabric as a tree: ranks of switches, 0 at the top, their cables by direction, and their order from left
 * to right. The groups carry the counts of one run.
 */
final class FatTree {
    /** In groups of cables. */
    static final PortGroup[] NO_GROUPS = {};

    final Links links;
    final Fabric fabric;
    final Ranks ranks;
    final HostPorts hosts;

    /** The rank of switches with compute nodes. */
    final int leafRank;

    /** By switch: groups of cables to switches of smaller, larger and equal rank. */
    final PortGroup[][] up;

    final PortGroup[][] down;
    final PortGroup[][] level;

    /** By switch: port numbers that lead to hosts, ascending. */
    final int[][] hostPorts;

    /** Switches with compute nodes. */
    final BitSet leaves = new BitSet();

    /** By switch: its index from left to right within its rank; equal if it has none. */
    int[] place = {};

    FatTree(Links links, Ranks ranks, HostPorts hosts, int leafRank) {
        this.links = links;
        this.fabric = links.fabric();
        this.ranks = ranks;
        this.hosts = hosts;
        this.leafRank = leafRank;
        int switches = fabric.switchCount();
        up = new PortGroup[switches][];
        down = new PortGroup[switches][];
        level = new PortGroup[switches][];
        hostPorts = new int[switches][0];
        for (int sw = 0; sw < switches; sw++) {
            int rank = ranks.of(sw);
            up[sw] = groups(sw, -1, rank - 1);
            down[sw] = groups(sw, rank + 1, Ranks.FAR - 1);
            level[sw] = groups(sw, rank, rank);
        }
        for (int port : hosts.all()) {
            int sw = fabric.switchOf(port);
            if (ranks.of(sw) != Ranks.FAR) {
                hostPorts[sw] = Arrays.copyOf(hostPorts[sw], hostPorts[sw].length + 1);
                hostPorts[sw][hostPorts[sw].length - 1] = fabric.portNum(fabric.peer(port));
                if (hosts.computes(port)) {
                    leaves.set(sw);
                }
            }
        }
        for (int[] ports : hostPorts) {
            Arrays.sort(ports);
        }
    }

    /** Returns the cables to switches of some ranks, grouped by switch in the order of the first port. */
    private PortGroup[] groups(int sw, int min, int max) {
        if (ranks.of(sw) == Ranks.FAR) {
            return NO_GROUPS;
        }
        List<int[]> ports = new ArrayList<>();
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int peer = links.behind(port);
            if (peer == Fabric.NONE || ranks.of(peer) < min || ranks.of(peer) > max) {
                continue;
            }
            int known = 0;
            while (known < ports.size() && links.behind(ports.get(known)[0]) != peer) {
                known++;
            }
            if (known == ports.size()) {
                ports.add(new int[] {port});
            } else {
                int[] more = Arrays.copyOf(ports.get(known), ports.get(known).length + 1);
                more[more.length - 1] = port;
                ports.set(known, more);
            }
        }
        return ports.stream()
                .map(cables -> new PortGroup(links.behind(cables[0]), cables))
                .toArray(PortGroup[]::new);
    }

    /** Returns the ports of compute nodes on a switch, as port numbers of the switch, ascending. */
    IntStream computePorts(int sw) {
        return Arrays.stream(hostPorts[sw]).filter(portNum -> hosts.computes(fabric.peer(fabric.port(sw, portNum))));
    }

    /**
     * Returns the switches from the leftmost to the rightmost one with compute nodes, including those without
     * between them. Needs {@link #place}.
     */
    int[] leafRow() {
        int[] row = Arrays.stream(links.order())
                .filter(sw -> ranks.of(sw) == leafRank)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> place[sw]))
                .mapToInt(sw -> sw)
                .toArray();
        int first = 0;
        int last = row.length - 1;
        while (first <= last && !leaves.get(row[first])) {
            first++;
        }
        while (first <= last && !leaves.get(row[last])) {
            last--;
        }
        return Arrays.copyOfRange(row, first, last + 1);
    }
}
