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
 * A fabric as a tree: ranks of switches, 0 at the top, their cables by direction, and their order from left to
 * right. The groups of cables have counters that one run of {@link FatTreeTables} changes.
 */
final class FatTree {
    /** An empty array of groups. */
    static final PortGroup[] NO_GROUPS = {};

    final Links links;
    final Fabric fabric;
    final Ranks ranks;
    final HostPorts hosts;

    /** The rank of switches with compute nodes. */
    final int leafRank;

    /** {@code [switch][group]}: groups of cables to switches of smaller rank. */
    final PortGroup[][] up;

    /** {@code [switch][group]}: groups of cables to switches of larger rank. */
    final PortGroup[][] down;
    /** {@code [switch][group]}: groups of cables to switches of equal rank. */
    final PortGroup[][] level;

    /** {@code [switch]}: port numbers that lead to hosts, ascending. */
    final int[][] hostPorts;

    /** The switches with compute nodes, by index. */
    final BitSet leaves = new BitSet();

    /**
     * By switch: a number that increases from left to right within a rank; switches without a place share a number.
     * Empty until {@link SwitchOrder#find}.
     */
    int[] position = {};

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
            down[sw] = groups(sw, rank + 1, Ranks.UNREACHABLE - 1);
            level[sw] = groups(sw, rank, rank);
        }
        for (int port : hosts.hostPorts()) {
            int sw = fabric.switchOf(port);
            if (ranks.of(sw) != Ranks.UNREACHABLE) {
                hostPorts[sw] = Arrays.copyOf(hostPorts[sw], hostPorts[sw].length + 1);
                hostPorts[sw][hostPorts[sw].length - 1] = fabric.portNum(fabric.peer(port));
                if (hosts.isComputeNode(port)) {
                    leaves.set(sw);
                }
            }
        }
        for (int[] ports : hostPorts) {
            Arrays.sort(ports);
        }
    }

    /** Checks whether each switch below the roots has a cable to a switch above it. */
    boolean leadsUpEverywhere() {
        return IntStream.range(0, up.length)
                .allMatch(sw -> ranks.of(sw) == 0 || ranks.of(sw) == Ranks.UNREACHABLE || up[sw].length > 0);
    }

    /**
     * Returns the cables of a switch to switches of ranks from {@code min} to {@code max}, grouped by peer, in the
     * order of the first port.
     */
    private PortGroup[] groups(int sw, int min, int max) {
        if (ranks.of(sw) == Ranks.UNREACHABLE) {
            return NO_GROUPS;
        }
        List<int[]> ports = new ArrayList<>();
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int peer = links.farSwitch(port);
            if (peer == Fabric.NONE || ranks.of(peer) < min || ranks.of(peer) > max) {
                continue;
            }
            int index = 0;
            while (index < ports.size() && links.farSwitch(ports.get(index)[0]) != peer) {
                index++;
            }
            if (index == ports.size()) {
                ports.add(new int[] {port});
            } else {
                int[] longer = Arrays.copyOf(ports.get(index), ports.get(index).length + 1);
                longer[longer.length - 1] = port;
                ports.set(index, longer);
            }
        }
        return ports.stream()
                .map(cables -> new PortGroup(links.farSwitch(cables[0]), cables))
                .toArray(PortGroup[]::new);
    }

    /** Returns the port numbers of a switch that lead to compute nodes, ascending. */
    IntStream computePorts(int sw) {
        return Arrays.stream(hostPorts[sw])
                .filter(portNum -> hosts.isComputeNode(fabric.peer(fabric.port(sw, portNum))));
    }

    /**
     * Returns the switches of the leaf rank from left to right: from the first to the last switch with compute
     * nodes, including switches without compute nodes between them. Requires {@link #position}.
     */
    int[] leafRow() {
        int[] row = Arrays.stream(links.order())
                .filter(sw -> ranks.of(sw) == leafRank)
                .boxed()
                .sorted(Comparator.comparingInt(sw -> position[sw]))
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
