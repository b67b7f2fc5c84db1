package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The next hops of searches that exclude some turns: from a destination outwards, a step up must not follow a
 * step down. The search is that of OpenSM, and keeps one direction for each switch. If several ways lead to a
 * switch, some paths may therefore have an excluded turn. {@link #straighten} replaces the hops to a destination
 * by hops without such turns.
 */
public final class LegalHops implements NextHops {
    private static final int NONE = 255;

    private final Links links;
    private final Fabric fabric;
    private final Steps steps;

    /** By switch: the index of its first byte in a row; the last entry is the length of a row. */
    private final int[] first;

    /**
     * {@code [destination switch][byte]}: bit {@code p % 8} of byte {@code first[sw] + p / 8} is set if port p of a
     * switch is a next hop.
     */
    private final byte[][] next;

    /** The direction of a step from a switch to a neighbour. */
    public enum LinkDirection {
        /** Up; any step may follow. */
        UP,
        /** Down; a step up must not follow. */
        DOWN,
        /** Neither up nor down; any step may follow. */
        LEVEL
    }

    /** The directions that an engine assigns to steps. */
    public interface Steps {
        /** Returns the direction of a step of the search, which goes from the destination against the packets. */
        LinkDirection of(int from, int to);
    }

    /**
     * Searches from all switches.
     *
     * @param seeds distances with which some searches begin
     * @param seeded destination switches whose search begins with {@code seeds}; other searches begin without
     *     distances
     */
    public LegalHops(Links links, Steps steps, Hops seeds, BitSet seeded) {
        this.links = links;
        this.fabric = links.fabric();
        this.steps = steps;
        first = new int[fabric.switchCount() + 1];
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            first[sw + 1] = first[sw] + (fabric.numPorts(sw) >> 3) + 1;
        }
        next = new byte[fabric.switchCount()][];
        IntStream.range(0, next.length).parallel().forEach(to -> {
            Search search = new Search(to);
            if (seeded.get(to)) {
                search.begin(seeds);
            }
            next[to] = search.row();
        });
    }

    private LegalHops(LegalHops all, byte[][] next) {
        this.links = all.links;
        this.fabric = all.fabric;
        this.steps = all.steps;
        this.first = all.first;
        this.next = next;
    }

    /**
     * Returns a copy in which switches without a path to some destinations have a path over one switch, at which
     * packets go up again.
     *
     * @param turn switch at which packets go up again
     */
    LegalHops withTurnAt(int turn, BitSet destinations) {
        byte[][] more = next.clone();
        destinations.stream().filter(to -> hasPath(turn, to)).forEach(to -> {
            more[to] = next[to].clone();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                if (!hasPath(sw, to)) {
                    System.arraycopy(next[turn], first[sw], more[to], first[sw], first[sw + 1] - first[sw]);
                }
            }
        });
        return new LegalHops(this, more);
    }

    /** The search from one destination switch. */
    private final class Search {
        private final int to;

        /** By port index: the hops to the destination through the port. */
        private final byte[] hops = new byte[fabric.portCount()];

        /** By switch: the minimum of {@code hops} over its ports. */
        private final int[] minHops = new int[fabric.switchCount()];

        private final int[] queue = new int[minHops.length];
        private final boolean[] isQueued = new boolean[minHops.length];
        /** By switch: the direction of the last step to it. */
        private final LinkDirection[] way = new LinkDirection[minHops.length];

        private int head;
        /** The number of switches in the queue, which is a ring buffer. */
        private int queueLength;

        Search(int to) {
            this.to = to;
            Arrays.fill(hops, (byte) NONE);
            Arrays.fill(minHops, NONE);
            minHops[to] = 0;
        }

        void begin(Hops seeds) {
            for (int sw = 0; sw < minHops.length; sw++) {
                for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                    lower(sw, port, seeds.hopsThrough(port, to));
                }
            }
            minHops[to] = 0;
        }

        private boolean lower(int sw, int port, int value) {
            boolean isLower = value < (hops[port] & 0xff);
            if (isLower) {
                hops[port] = (byte) value;
                minHops[sw] = Math.min(minHops[sw], value);
            }
            return isLower;
        }

        byte[] row() {
            add(to, LinkDirection.UP);
            while (queueLength > 0) {
                int sw = queue[head];
                head = head + 1 == queue.length ? 0 : head + 1;
                queueLength--;
                isQueued[sw] = false;
                for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                    step(sw, port);
                }
            }
            byte[] row = new byte[first[minHops.length]];
            for (int sw = 0; sw < minHops.length; sw++) {
                for (int portNum = 1; sw != to && minHops[sw] < NONE && portNum <= fabric.numPorts(sw); portNum++) {
                    boolean isLeast = (hops[fabric.port(sw, portNum)] & 0xff) == minHops[sw];
                    mark(row, sw, portNum, isLeast);
                }
            }
            return row;
        }

        private void step(int sw, int port) {
            int from = links.farSwitch(port);
            if (from == Fabric.NONE) {
                return;
            }
            LinkDirection direction = steps.of(sw, from);
            boolean isLegal = way[sw] != LinkDirection.DOWN || direction != LinkDirection.UP;
            if (isLegal && lower(from, fabric.peer(port), minHops[sw] + 1) && !isQueued[from]) {
                add(from, direction);
            }
        }

        private void add(int sw, LinkDirection direction) {
            way[sw] = direction;
            isQueued[sw] = true;
            queue[(head + queueLength++) % queue.length] = sw;
        }
    }

    private void mark(byte[] row, int sw, int portNum, boolean isNext) {
        row[first[sw] + (portNum >> 3)] |= (byte) (isNext ? 1 << (portNum & 7) : 0);
    }

    /**
     * Replaces the hops to some destinations by the shortest paths that go up and then down in an order of switches.
     */
    public void straighten(BitSet destinations, UpDownRoutes order) {
        destinations.stream().forEach(to -> {
            order.measure(to);
            byte[] row = next[to];
            Arrays.fill(row, (byte) 0);
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int portNum = 1; sw != to && portNum <= fabric.numPorts(sw); portNum++) {
                    int neighbour = links.farSwitch(fabric.port(sw, portNum));
                    boolean isWay = neighbour != Fabric.NONE && order.isNextHop(sw, neighbour);
                    mark(row, sw, portNum, isWay);
                }
            }
        });
    }

    /** Checks whether a switch has a path to another switch. */
    public boolean hasPath(int sw, int to) {
        boolean leads = sw == to;
        for (int i = first[sw]; !leads && i < first[sw + 1]; i++) {
            leads = next[to][i] != 0;
        }
        return leads;
    }

    @Override
    public int ports(int sw, int to, int[] into) {
        int count = 0;
        for (int i = first[sw]; i < first[sw + 1]; i++) {
            for (int bits = next[to][i] & 0xff; bits != 0; bits &= bits - 1) {
                into[count++] = (i - first[sw] << 3) + Integer.numberOfTrailingZeros(bits);
            }
        }
        return count;
    }
}
