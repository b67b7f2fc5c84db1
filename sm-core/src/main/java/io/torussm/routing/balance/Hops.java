package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The number of hops between all switches; a cable may count as several hops. A distance above 254 counts as not
 * connected, as in OpenSM. Immutable. The memory is one byte for each ordered pair of switches.
 */
public final class Hops implements NextHops {
    /** The distance of switches that are not connected. */
    public static final int NONE = 255;

    private final Links links;
    private final Fabric fabric;

    /** By port index: the number of hops, 1 to 255, that the cable counts for packets that leave through the port. */
    private final int[] weights;

    /** Distances {@code [destination switch][switch]}, unsigned. */
    private final byte[][] hops;

    /** Measures a fabric in which each cable is one hop. */
    public Hops(Links links) {
        this(links, equalWeights(links.fabric().portCount()));
    }

    /**
     * Measures a fabric.
     *
     * @param weights number of hops of each cable by port index, 1 to 255; kept, not copied
     */
    public Hops(Links links, int[] weights) {
        this.links = links;
        this.fabric = links.fabric();
        this.weights = weights;
        hops = new byte[fabric.switchCount()][];
        IntStream.range(0, hops.length).parallel().forEach(to -> hops[to] = measure(to));
    }

    private static int[] equalWeights(int ports) {
        int[] weights = new int[ports];
        Arrays.fill(weights, 1);
        return weights;
    }

    /**
     * Returns the distances to a switch, by switch. It is a breadth-first search that visits a switch again if its
     * distance falls, which never happens with equal weights.
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
                int from = links.farSwitch(port);
                if (from == Fabric.NONE || (row[from] & 0xff) <= (row[sw] & 0xff) + 1) {
                    continue; // No weight is below 1, so the distance cannot fall.
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
     * Returns the hops from a switch to another switch for packets that leave through a port (by index); {@link
     * #NONE} if the port leads to no switch from which the other switch can be reached.
     */
    public int hopsThrough(int port, int to) {
        int next = links.farSwitch(port);
        return next == Fabric.NONE ? NONE : Math.min(NONE, hops(next, to) + weights[port]);
    }

    @Override
    public int ports(int sw, int to, int[] into) {
        int minHops = hops(sw, to);
        int count = 0;
        for (int portNum = 1; minHops < NONE && portNum <= fabric.numPorts(sw); portNum++) {
            if (hopsThrough(fabric.port(sw, portNum), to) == minHops) {
                into[count++] = portNum;
            }
        }
        return count;
    }

    /** Returns all switches sorted by the number of hops to the farthest other switch, then as in OpenSM. */
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
