package io.torussm.routing.weights;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/**
 * The graph of switches and cables, whose weights grow with the routes that they carry, with shortest paths
 * from one destination to all switches. Ties between paths of equal weight are broken by the order of a heap
 * with four children to each element, as in OpenSM, step by step.
 */
final class WeightedGraph {
    /** Not reached; sums stay far below. */
    private static final long FAR = Long.MAX_VALUE / 2;

    private static final int CHILDREN = 4;
    private static final int NONE = -1;
    private final Subnet subnet;
    private final Fabric fabric;
    private final int size;

    /** By vertex, which is the place of a switch in OpenSM's order: switch index; and the other way round. */
    private final int[] switches;

    private final int[] vertexOf;

    /** By vertex, and one more: its first link. */
    private final int[] firstLink;

    /** By link: the vertices it leads from and to, and the number of the port there. */
    private final int[] sources;

    private final int[] targets;

    private final int[] farPorts;
    private final long[] weights;

    /** By port index of a switch: the link that leads there. */
    private final int[] linkTo;

    /** By vertex: weight that a route of the LIDs there adds. */
    private final int[] loads;

    private final long[] distances;

    /** By vertex: the link by which it is reached; {@link #NONE} for the first. */
    private final int[] used;

    /** Vertices in the order in which they were reached. */
    private final int[] reached;

    private int reachedCount;

    private final boolean[] isDone;

    private final int[] heap;
    private final int[] placeInHeap;
    private int heapSize;

    /**
     * Creates the graph of a subnet, with equal weights.
     *
     * @param loads by switch index: LIDs of its port 0 and of the hosts on it
     */
    WeightedGraph(Subnet subnet, Links links, int[] loads) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        switches = links.order();
        size = switches.length;
        vertexOf = new int[size];
        for (int vertex = 0; vertex < size; vertex++) {
            vertexOf[switches[vertex]] = vertex;
        }
        this.loads = Arrays.stream(switches).map(sw -> loads[sw]).toArray();
        firstLink = new int[size + 1];
        int[] from = new int[fabric.portCount()];
        int[] to = new int[fabric.portCount()];
        int[] ports = new int[fabric.portCount()];
        int count = 0;
        for (int vertex = 0; vertex < size; vertex++) {
            int sw = switches[vertex];
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                if (links.behind(port) != Fabric.NONE) {
                    from[count] = vertex;
                    to[count] = vertexOf[links.behind(port)];
                    ports[count++] = fabric.portNum(fabric.peer(port));
                }
            }
            firstLink[vertex + 1] = count;
        }
        sources = Arrays.copyOf(from, count);
        targets = Arrays.copyOf(to, count);
        farPorts = Arrays.copyOf(ports, count);
        linkTo = new int[fabric.portCount()];
        for (int link = 0; link < count; link++) {
            linkTo[fabric.port(switches[targets[link]], farPorts[link])] = link;
        }
        weights = new long[count];
        long lids = Arrays.stream(loads).asLongStream().sum();
        Arrays.fill(weights, lids * lids);
        distances = new long[size + 1];
        used = new int[size];
        reached = new int[size];
        isDone = new boolean[size + 1];
        heap = new int[size + 1];
        placeInHeap = new int[size + 1];
    }

    /**
     * Finds the paths to a LID, writes them into forwarding tables, and adds their load to the links. A
     * switch with an entry keeps it.
     *
     * @param lfts by switch index; existing entries must lead to the LID, from all switches on the way
     * @return true if all switches have an entry
     */
    boolean route(int lid, byte[][] lfts) {
        int sw = subnet.switchOfLid(lid);
        boolean isSwitch = fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)));
        search(vertexOf[sw], isSwitch, lid, lfts);
        for (int i = 0; i < reachedCount; i++) {
            int vertex = reached[i];
            int port = used[vertex] == NONE ? subnet.deliveryPort(lid) : farPorts[used[vertex]];
            lfts[switches[vertex]][lid] = (byte) port;
        }
        count();
        return reachedCount == size;
    }

    /** Counts routes: every link carries those of all switches behind it. */
    private void count() {
        long[] behind = new long[size];
        for (int i = reachedCount - 1; i >= 0; i--) {
            int vertex = reached[i];
            behind[vertex] += loads[vertex];
            if (used[vertex] != NONE) {
                weights[used[vertex]] += behind[vertex];
                behind[sources[used[vertex]]] += behind[vertex];
            }
        }
    }

    /**
     * Searches from a switch, or from a host on it, which is the last vertex; or else from all switches that have an
     * entry.
     */
    private void search(int first, boolean isSwitch, int lid, byte[][] lfts) {
        Arrays.fill(distances, FAR);
        Arrays.fill(isDone, false);
        Arrays.fill(used, NONE);
        reachedCount = 0;
        if (isSet(first, lid, lfts)) {
            keep(first, lid, lfts);
        }
        heapSize = 0;
        for (int vertex = 0; vertex < (isSwitch || reachedCount > 0 ? size : size + 1); vertex++) {
            if (!isDone[vertex]) {
                put(vertex, heapSize++);
            }
        }
        if (reachedCount == 0) {
            lower(isSwitch ? first : size, 0);
        }
        for (int i = reachedCount - 1; i >= 0; i--) {
            goOn(reached[i]);
        }
        while (heapSize > 0) {
            int vertex = extract();
            isDone[vertex] = true;
            if (vertex == size) {
                lower(first, 1);
            } else if (distances[vertex] < FAR) {
                reached[reachedCount++] = vertex;
                goOn(vertex);
            }
        }
    }

    private boolean isSet(int vertex, int lid, byte[][] lfts) {
        return lfts[switches[vertex]][lid] != LinearForwardingTable.NO_PATH_ENTRY;
    }

    /** Takes in the switches that have an entry, each after the one it leads to. */
    private void keep(int first, int lid, byte[][] lfts) {
        isDone[first] = true;
        distances[first] = 0;
        reached[reachedCount++] = first;
        int[] way = new int[size];
        for (int start = 0; start < size; start++) {
            int length = 0;
            for (int vertex = start; !isDone[vertex] && isSet(vertex, lid, lfts); vertex = sources[used[vertex]]) {
                used[vertex] = linkTo[fabric.port(switches[vertex], lfts[switches[vertex]][lid] & 0xff)];
                way[length++] = vertex;
            }
            while (length > 0) {
                int vertex = way[--length];
                isDone[vertex] = true;
                distances[vertex] = distances[sources[used[vertex]]] + weights[used[vertex]];
                reached[reachedCount++] = vertex;
            }
        }
    }

    private void goOn(int vertex) {
        for (int link = firstLink[vertex]; link < firstLink[vertex + 1]; link++) {
            int next = targets[link];
            long distance = distances[vertex] + weights[link];
            if (!isDone[next] && distance < distances[next]) {
                used[next] = link;
                lower(next, distance);
            }
        }
    }

    private void lower(int vertex, long distance) {
        distances[vertex] = distance;
        int place = placeInHeap[vertex];
        while (place > 0 && distance < distances[heap[(place - 1) / CHILDREN]]) {
            put(heap[(place - 1) / CHILDREN], place);
            place = (place - 1) / CHILDREN;
        }
        put(vertex, place);
    }

    private void put(int vertex, int place) {
        heap[place] = vertex;
        placeInHeap[vertex] = place;
    }

    private int extract() {
        int least = heap[0];
        heapSize--;
        int vertex = heap[heapSize];
        int place = 0;
        int child = leastChild(0);
        while (child != NONE && distances[vertex] > distances[heap[child]]) {
            put(heap[child], place);
            place = child;
            child = leastChild(place);
        }
        put(vertex, place);
        return least;
    }

    /** Returns the least child, of equal ones the last. */
    private int leastChild(int place) {
        int least = NONE;
        int end = Math.min(heapSize, CHILDREN * place + CHILDREN + 1);
        for (int child = CHILDREN * place + 1; child < end; child++) {
            least = least == NONE || distances[heap[child]] <= distances[heap[least]] ? child : least;
        }
        return least;
    }
}
