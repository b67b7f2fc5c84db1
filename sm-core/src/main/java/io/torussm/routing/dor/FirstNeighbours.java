package io.torussm.routing.dor;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/** For every two switches, the first port of the one that is on a shortest path to the other. Immutable. */
final class FirstNeighbours {
    private final Fabric fabric;
    private final int[][] searched;

    /** By switch, then by destination switch: the port number; 0 for the switch itself and where there is no path. */
    private final byte[][] port;

    /** By switch: the lowest switch that it is connected to. */
    private final int[] island;

    FirstNeighbours(Fabric fabric, int[][] searched) {
        this.fabric = fabric;
        this.searched = searched;
        int switches = fabric.switchCount();
        port = new byte[switches][switches];
        island = new int[switches];
        Arrays.fill(island, Fabric.NONE);
        int[] hops = new int[switches];
        int[] queue = new int[switches];
        for (int to = 0; to < switches; to++) {
            int reached = measure(to, hops, queue);
            for (int i = 0; i < reached; i++) {
                int sw = queue[i];
                island[sw] = island[sw] == Fabric.NONE ? to : island[sw];
                port[sw][to] = (byte) firstNearer(sw, hops);
            }
        }
    }

    /** The port number; 0 for the switch itself and where there is no path. */
    int port(int sw, int to) {
        return port[sw][to] & 0xff;
    }

    /** By switch: the lowest switch that it is connected to. */
    int[] islands() {
        return island;
    }

    /** The switch behind a port; {@link Fabric#NONE} if there is none, or only the switch itself. */
    static int neighbour(Fabric fabric, int sw, int portNum) {
        int far = fabric.peer(fabric.port(sw, portNum));
        int node = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
        return node != Fabric.NONE && node != sw && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /** Hops of every switch to the destination; the switches reached are in the queue, nearest first. */
    private int measure(int to, int[] hops, int[] queue) {
        Arrays.fill(hops, Integer.MAX_VALUE);
        hops[to] = 0;
        queue[0] = to;
        int tail = 1;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int next = neighbour(fabric, sw, portNum);
                if (next != Fabric.NONE && hops[next] == Integer.MAX_VALUE) {
                    hops[next] = hops[sw] + 1;
                    queue[tail++] = next;
                }
            }
        }
        return tail;
    }

    private int firstNearer(int sw, int[] hops) {
        for (int portNum : searched[sw]) {
            int next = neighbour(fabric, sw, portNum);
            if (next != Fabric.NONE && hops[next] < hops[sw]) {
                return portNum;
            }
        }
        return 0;
    }
}
