package io.torussm.routing.sssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The paths to one destination after the other. Vertices are switches, from 1 on in OpenSM's order, and 0 is the host that
 * is a destination. Links lead from the destination outward, against the packets.
 */
final class WeightedPaths {
    private static final int NO_PATH = 0xff;
    private static final int UNUSED = -1;

    private final Subnet subnet;
    private final Fabric fabric;

    /** By vertex: the switch. */
    private final int[] switches;

    private final int[] vertexOf;

    /** By vertex: LIDs at it. */
    private final long[] lids;

    /** By vertex: where its links begin. */
    private final int[] firstLink;

    /** By link: the vertex that it leads to, the port there, and its weight. */
    private final int[] target;

    private final int[] portThere;
    private final long[] weight;

    private final VertexHeap heap;
    private final boolean[] isDone;

    /** By vertex: the link by which it is reached; {@link #UNUSED} for none, and for one that a host hangs on. */
    private final int[] used;

    /** By vertex: whence it is reached. */
    private final int[] before;

    private final int[] taken;
    private final long[] behind;
    private final byte[][] lfts;

    /** No destination is routed yet. */
    WeightedPaths(Subnet subnet, Links links) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        int count = fabric.switchCount() + 1;
        switches = new int[count];
        vertexOf = new int[count - 1];
        for (int vertex = 1; vertex < count; vertex++) {
            switches[vertex] = links.order()[vertex - 1];
            vertexOf[switches[vertex]] = vertex;
        }
        lids = new long[count];
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = fabric.isEndport(port) && subnet.lid(port) != 0 ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE) {
                lids[vertexOf[sw]] += 1L << subnet.lmc(port);
            }
        }
        long total = Arrays.stream(lids).sum();
        firstLink = new int[count + 1];
        List<int[]> all = new ArrayList<>();
        for (int vertex = 1; vertex < count; vertex++) {
            int sw = switches[vertex];
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                if (links.behind(port) != Fabric.NONE) {
                    all.add(new int[] {vertexOf[links.behind(port)], fabric.portNum(fabric.peer(port))});
                }
            }
            firstLink[vertex + 1] = all.size();
        }
        target = all.stream().mapToInt(link -> link[0]).toArray();
        portThere = all.stream().mapToInt(link -> link[1]).toArray();
        weight = new long[target.length];
        Arrays.fill(weight, total * total);
        heap = new VertexHeap(count);
        isDone = new boolean[count];
        used = new int[count];
        before = new int[count];
        taken = new int[count];
        behind = new long[count];
        lfts = new byte[fabric.switchCount()][subnet.topLid() + 1];
        Arrays.stream(lfts).forEach(lft -> Arrays.fill(lft, (byte) NO_PATH));
    }

    /**
     * Routes all end ports: those of the first set, of the second, all others, and switches; each time switches with many LIDs
     * first.
     *
     * @param kinds port GUIDs; where a set is empty, there is none of that kind
     */
    byte[][] route(List<Set<Long>> kinds) {
        int[] byLids = IntStream.range(1, switches.length)
                .boxed()
                .sorted(Comparator.comparingLong(vertex -> -lids[vertex]))
                .mapToInt(vertex -> vertex)
                .toArray();
        boolean[] isRouted = new boolean[fabric.portCount()];
        List<Set<Long>> passes = new ArrayList<>(kinds);
        passes.removeIf(Set::isEmpty);
        passes.add(Set.of());
        for (Set<Long> kind : passes) {
            for (int vertex : byLids) {
                int sw = switches[vertex];
                for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                    int end = endport(port);
                    boolean isDue = end != Fabric.NONE && (kind.isEmpty() || kind.contains(fabric.portGuid(end)));
                    if (isDue && !isRouted[end]) {
                        isRouted[end] = true;
                        routeTo(vertex, end, fabric.portNum(port));
                    }
                }
            }
        }
        for (int vertex : byLids) {
            routeTo(vertex, fabric.port(switches[vertex], 0), 0);
        }
        return lfts;
    }

    /** The end port with a LID that is cabled to a port of a switch. */
    private int endport(int port) {
        int far = fabric.peer(port);
        boolean isEnd = far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far)) && subnet.lid(far) != 0;
        return isEnd ? far : Fabric.NONE;
    }

    /** Routes the LIDs of an end port at a switch; {@code port} leads from there to it. */
    private void routeTo(int vertex, int endport, int port) {
        int base = subnet.lid(endport);
        for (int lid = base; lid < base + (1 << subnet.lmc(endport)); lid++) {
            int count = search(vertex, port > 0);
            lfts[switches[vertex]][lid] = (byte) port;
            spread(count, lid);
        }
    }

    /** The shortest paths from all switches; how many there are, in {@link #taken} by distance. */
    private int search(int to, boolean isHost) {
        Arrays.fill(isDone, false);
        Arrays.fill(used, UNUSED);
        heap.fill(isHost);
        heap.lower(isHost ? 0 : to, 0);
        int count = 0;
        while (!heap.isEmpty()) {
            int vertex = heap.take();
            isDone[vertex] = true;
            if (vertex == 0) {
                heap.lower(to, 1);
            } else if (heap.key(vertex) != VertexHeap.INFINITE) {
                taken[count++] = vertex;
                for (int link = firstLink[vertex]; link < firstLink[vertex + 1]; link++) {
                    int next = target[link];
                    long distance = heap.key(vertex) + weight[link];
                    if (!isDone[next] && distance < heap.key(next)) {
                        used[next] = link;
                        before[next] = vertex;
                        heap.lower(next, distance);
                    }
                }
            }
        }
        return count;
    }

    /** Writes entries; every link becomes heavier by the LIDs at all switches that reach the destination over it. */
    private void spread(int count, int lid) {
        Arrays.fill(behind, 0);
        for (int i = count - 1; i >= 0; i--) {
            int vertex = taken[i];
            if (used[vertex] != UNUSED) {
                lfts[switches[vertex]][lid] = (byte) portThere[used[vertex]];
                long load = behind[vertex] + lids[vertex];
                weight[used[vertex]] += load;
                behind[before[vertex]] += load;
            }
        }
    }
}
