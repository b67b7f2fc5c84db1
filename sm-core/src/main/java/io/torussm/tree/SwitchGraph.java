package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** The cables between switches, and the number of hosts on each switch, in dense arrays. Immutable. */
final class SwitchGraph {
    /** The number of hops to a switch that cannot be reached. */
    static final int UNREACHABLE = Integer.MAX_VALUE;

    /** Part of the NodeDescription of aggregation nodes, such as "Mellanox Technologies Aggregation Node". */
    private static final String AGGREGATION = "Aggregation Node";

    final Fabric fabric;

    /** {@code [switch]}: port indexes with a cable to another switch, ascending. */
    final int[][] ports;

    /**
     * {@code [switch]}: the switches at the other ends of {@link #ports}, so a neighbour occurs once for each cable.
     */
    final int[][] peers;

    /** By switch: the number of cables to hosts, without aggregation nodes. */
    final int[] hosts;

    SwitchGraph(Fabric fabric) {
        this.fabric = fabric;
        ports = new int[fabric.switchCount()][];
        peers = new int[fabric.switchCount()][];
        hosts = new int[fabric.switchCount()];
        for (int sw = 0; sw < ports.length; sw++) {
            int own = sw;
            ports[sw] = ports(sw).filter(port -> leadsToAnother(own, port)).toArray();
            peers[sw] = Arrays.stream(ports[sw])
                    .map(port -> fabric.nodeOf(fabric.peer(port)))
                    .toArray();
            hosts[sw] = (int)
                    ports(sw).filter(port -> isHost(fabric, fabric.peer(port))).count();
        }
    }

    /**
     * Checks whether a port (by index) belongs to a host: to a node that is neither a switch nor an aggregation
     * node.
     */
    static boolean isHost(Fabric fabric, int port) {
        if (port == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(port))) {
            return false;
        }
        return !fabric.node(fabric.nodeOf(port)).description().contains(AGGREGATION);
    }

    private IntStream ports(int sw) {
        return IntStream.rangeClosed(fabric.port(sw, 1), fabric.port(sw, fabric.numPorts(sw)));
    }

    private boolean leadsToAnother(int sw, int port) {
        int far = fabric.switchBehind(port);
        return far != Fabric.NONE && far != sw;
    }

    int size() {
        return ports.length;
    }

    /** Returns the number of cables between switches. */
    int cables() {
        return Arrays.stream(ports).mapToInt(row -> row.length).sum() / 2;
    }

    /** Returns the largest number of hosts on a switch. */
    int maxHosts() {
        return Arrays.stream(hosts).max().orElse(0);
    }

    /** Returns the number of cables between two switches. */
    int multiplicity(int from, int to) {
        return (int) Arrays.stream(peers[from]).filter(peer -> peer == to).count();
    }

    /** Returns the hops by switch from the nearest start; {@link #UNREACHABLE} if no start can be reached. */
    int[] hops(IntPredicate isStart) {
        return hops(peers, isStart);
    }

    /**
     * Returns the hops by switch from the nearest start in another graph; {@link #UNREACHABLE} if no start can be
     * reached.
     *
     * @param peers neighbours {@code [switch]}, in any order
     */
    static int[] hops(int[][] peers, IntPredicate isStart) {
        int[] hops = new int[peers.length];
        int[] queue = new int[peers.length];
        int tail = 0;
        Arrays.fill(hops, UNREACHABLE);
        for (int sw = 0; sw < hops.length; sw++) {
            if (isStart.test(sw)) {
                hops[sw] = 0;
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            for (int next : peers[queue[head]]) {
                if (hops[next] == UNREACHABLE) {
                    hops[next] = hops[queue[head]] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return hops;
    }
}
