package io.torussm.routing.weights;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/**
 * The graph of switches and cables with weights, and the shortest paths from one destination to all switches
 * (Dijkstra). Weights grow with the routes over a cable. The order of a heap with four children per element
 * breaks ties between paths of equal weight, step by step as in OpenSM.
 */
final class WeightedGraph {
    /** The distance of a vertex that is not reached; larger than any sum of weights. */
    private static final long UNREACHABLE = Long.MAX_VALUE / 2;

    private static final int CHILDREN = 4;
    private static final int NONE = -1;
    private final Subnet subnet;
    private final Fabric fabric;
    private final int size;

    /** By vertex, the number of a switch in OpenSM's order: the switch index. */
    private final int[] switches;

    /** By switch index: the vertex. */
    private final int[] vertexOf;

    /** By vertex: the first link that leaves it; the last entry is the number of links. */
    private final int[] firstLink;

    /** By link: the vertex at which it begins. */
    private final int[] sources;

    /** By link: the vertex at which it ends. */
    private final int[] targets;

    /** By link: the port number of the switch at which it ends. */
    private final int[] farPorts;
    /** By link: its weight. */
    private final long[] weights;

    /** By port index of a switch: the link that ends there. */
    private final int[] linkTo;

    /** By vertex: the number of LIDs at the switch, by which its route increases weights. */
    private final int[] loads;

    /** By vertex: the distance to the destination; the last entry is a host, as an additional vertex. */
    private final long[] distances;

    /** By vertex: the link by which it is reached; {@link #NONE} for the switch of the destination. */
    private final int[] usedLink;

    /** Vertices in the order in which they were reached. */
    private final int[] reachOrder;

    private int reachedCount;

    /** By vertex: true if its distance is final. */
    private final boolean[] isDone;

    private final int[] heap;
    private final int[] placeInHeap;
    private int heapSize;

    /**
     * Creates the graph of a subnet, with equal weights.
     *
     * @param loads number of LIDs of port 0 and of the hosts, by switch index
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
                if (links.farSwitch(port) != Fabric.NONE) {
                    from[count] = vertex;
                    to[count] = vertexOf[links.farSwitch(port)];
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
        usedLink = new int[size];
        reachOrder = new int[size];
        isDone = new boolean[size + 1];
        heap = new int[size + 1];
        placeInHeap = new int[size + 1];
    }

    /**
     * Finds the paths to a LID, writes them into forwarding tables, and adds their load to the weights. A switch
     * that already has an entry keeps it.
     *
     * @param lfts tables {@code [switch][LID]}; the path of an existing entry must be complete
     * @return true if all switches have an entry
     */
    boolean route(int lid, byte[][] lfts) {
        int sw = subnet.switchOfLid(lid);
        boolean isSwitch = fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)));
        search(vertexOf[sw], isSwitch, lid, lfts);
        for (int i = 0; i < reachedCount; i++) {
            int vertex = reachOrder[i];
            int port = usedLink[vertex] == NONE ? subnet.deliveryPort(lid) : farPorts[usedLink[vertex]];
            lfts[switches[vertex]][lid] = (byte) port;
        }
        addRouteWeights();
        return reachedCount == size;
    }

    /** Adds routes to the weights. A link carries the routes of all switches that are reached over it. */
    private void addRouteWeights() {
        long[] behind = new long[size];
        for (int i = reachedCount - 1; i >= 0; i--) {
            int vertex = reachOrder[i];
            behind[vertex] += loads[vertex];
            if (usedLink[vertex] != NONE) {
                weights[usedLink[vertex]] += behind[vertex];
                behind[sources[usedLink[vertex]]] += behind[vertex];
            }
        }
    }

    /**
     * Searches from the switch of a destination, or from a host, which is the additional vertex. If switches have
     * entries, searches from all these switches.
     *
     * @param first vertex of the switch of the destination
     */
    private void search(int first, boolean isSwitch, int lid, byte[][] lfts) {
        Arrays.fill(distances, UNREACHABLE);
        Arrays.fill(isDone, false);
        Arrays.fill(usedLink, NONE);
        reachedCount = 0;
        if (isSet(first, lid, lfts)) {
            addKeptSwitches(first, lid, lfts);
        }
        heapSize = 0;
        for (int vertex = 0; vertex < (isSwitch || reachedCount > 0 ? size : size + 1); vertex++) {
            if (!isDone[vertex]) {
                setPlace(vertex, heapSize++);
            }
        }
        if (reachedCount == 0) {
            decreaseDistance(isSwitch ? first : size, 0);
        }
        for (int i = reachedCount - 1; i >= 0; i--) {
            relaxLinks(reachOrder[i]);
        }
        while (heapSize > 0) {
            int vertex = extract();
            isDone[vertex] = true;
            if (vertex == size) {
                decreaseDistance(first, 1);
            } else if (distances[vertex] < UNREACHABLE) {
                reachOrder[reachedCount++] = vertex;
                relaxLinks(vertex);
            }
        }
    }

    private boolean isSet(int vertex, int lid, byte[][] lfts) {
        return lfts[switches[vertex]][lid] != LinearForwardingTable.NO_PATH_ENTRY;
    }

    /** Adds the switches that have an entry to {@code reachOrder}, each after the switch to which its entry leads. */
    private void addKeptSwitches(int first, int lid, byte[][] lfts) {
        isDone[first] = true;
        distances[first] = 0;
        reachOrder[reachedCount++] = first;
        int[] walk = new int[size];
        for (int start = 0; start < size; start++) {
            int length = 0;
            for (int vertex = start; !isDone[vertex] && isSet(vertex, lid, lfts); vertex = sources[usedLink[vertex]]) {
                usedLink[vertex] = linkTo[fabric.port(switches[vertex], lfts[switches[vertex]][lid] & 0xff)];
                walk[length++] = vertex;
            }
            while (length > 0) {
                int vertex = walk[--length];
                isDone[vertex] = true;
                distances[vertex] = distances[sources[usedLink[vertex]]] + weights[usedLink[vertex]];
                reachOrder[reachedCount++] = vertex;
            }
        }
    }

    /** Lowers the distances of the neighbours of a vertex. */
    private void relaxLinks(int vertex) {
        for (int link = firstLink[vertex]; link < firstLink[vertex + 1]; link++) {
            int next = targets[link];
            long distance = distances[vertex] + weights[link];
            if (!isDone[next] && distance < distances[next]) {
                usedLink[next] = link;
                decreaseDistance(next, distance);
            }
        }
    }

    /** Sets a lower distance, and moves the vertex up in the heap. */
    private void decreaseDistance(int vertex, long distance) {
        distances[vertex] = distance;
        int place = placeInHeap[vertex];
        while (place > 0 && distance < distances[heap[(place - 1) / CHILDREN]]) {
            setPlace(heap[(place - 1) / CHILDREN], place);
            place = (place - 1) / CHILDREN;
        }
        setPlace(vertex, place);
    }

    private void setPlace(int vertex, int place) {
        heap[place] = vertex;
        placeInHeap[vertex] = place;
    }

    /** Removes the vertex with the least distance from the heap. */
    private int extract() {
        int nearest = heap[0];
        heapSize--;
        int vertex = heap[heapSize];
        int place = 0;
        int child = nearestChild(0);
        while (child != NONE && distances[vertex] > distances[heap[child]]) {
            setPlace(heap[child], place);
            place = child;
            child = nearestChild(place);
        }
        setPlace(vertex, place);
        return nearest;
    }

    /**
     * Returns the place of the child with the least distance, of equal ones the last; {@link #NONE} without
     * children.
     */
    private int nearestChild(int place) {
        int nearest = NONE;
        int end = Math.min(heapSize, CHILDREN * place + CHILDREN + 1);
        for (int child = CHILDREN * place + 1; child < end; child++) {
            nearest = nearest == NONE || distances[heap[child]] <= distances[heap[nearest]] ? child : nearest;
        }
        return nearest;
    }
}
