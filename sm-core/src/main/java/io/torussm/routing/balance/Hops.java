package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The hops between all switches; a cable may count as several hops. Up to 254; a greater distance counts as
 * not connected, as in OpenSM. One byte for each pair of switches. Immutable.
 */
public final class Hops implements NextHops {
    /** Not connected. */
    public static final int NONE = 255;

    private final Links links;
    private final Fabric fabric;

    /** By port index: weight in hops of the cable in the direction that leaves there. */
    private final int[] weights;

    /** By destination, then by switch. */
    private final byte[][] hops;

    /** Measures a fabric in which each cable is one hop. */
    public Hops(Links links) {
        this(links, equal(links.fabric().portCount()));
    }

    /**
     * Measures a fabric.
     *
     * @param weights by port index, 1 to 255; kept, not copied
     */
    public Hops(Links links, int[] weights) {
        this.links = links;
        this.fabric = links.fabric();
        this.weights = weights;
        hops = new byte[fabric.switchCount()][];
        IntStream.range(0, hops.length).parallel().forEach(to -> hops[to] = measure(to));
    }

    private static int[] equal(int ports) {
        int[] weights = new int[ports];
        Arrays.fill(weights, 1);
        return weights;
    }

    /**
     * Returns the distances to a switch. The search visits a switch again if its distance falls; with equal
     * weights this never happens.
     */
    private byte[] measure(int to) {
        int switches = fabric.switchCount();
        byte[] row = new byte[switches];
        Arrays.fill(row, (byte) NONE);
        row[to] = 0;
        int[] queue = new int[switches];
        boolean[] isQueued = new boolean[switches];
        queue[0] = to;
        int waiting = 1;
        for (int head = 0; waiting > 0; head = head + 1 == switches ? 0 : head + 1) {
            int sw = queue[head];
            waiting--;
            isQueued[sw] = false;
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int from = links.behind(port);
                if (from == Fabric.NONE || (row[from] & 0xff) <= (row[sw] & 0xff) + 1) {
                    continue; // no weight is below 1
                }
                int far = (row[sw] & 0xff) + weights[fabric.peer(port)];
                if (far < NONE && far < (row[from] & 0xff)) {
                    row[from] = (byte) far;
                    if (!isQueued[from]) {
                        isQueued[from] = true;
                        queue[(head + 1 + waiting++) % switches] = from;
                    }
                }
            }
        }
        return row;
    }

    /** Returns the hops from a switch to another; {@link #NONE} if they are not connected. */
    public int hops(int sw, int to) {
        return hops[to][sw] & 0xff;
    }

    /**
     * Returns the hops from a port index of a switch to another switch; {@link #NONE} if it leads to no switch that is
     * connected.
     */
    public int through(int port, int to) {
        int next = links.behind(port);
        return next == Fabric.NONE ? NONE : Math.min(NONE, hops(next, to) + weights[port]);
    }

    @Override
    public int ports(int sw, int to, int[] into) {
        int least = hops(sw, to);
        int count = 0;
        for (int portNum = 1; least < NONE && portNum <= fabric.numPorts(sw); portNum++) {
            if (through(fabric.port(sw, portNum), to) == least) {
                into[count++] = portNum;
            }
        }
        return count;
    }

    /** Returns switches in the order of OpenSM, by the number of hops to the farthest other switch. */
    public int[] centres() {
        int[] farthest = new int[hops.length];
        for (int to = 0; to < hops.length; to++) {
            for (int sw = 0; sw < hops.length; sw++) {
                farthest[sw] = Math.max(farthest[sw], hops(sw, to));
            }
        }
        return Arrays.stream(links.order())
                .boxed()
                .sorted((a, b) -> Integer.compare(farthest[a], farthest[b]))
                .mapToInt(sw -> sw)
                .toArray();
    }
}
