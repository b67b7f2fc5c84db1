package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * Next hops of searches that may not take every turn: from a destination outward, a step up must not follow
 * one down. They are OpenSM's, which does not keep apart the ways by which a search comes to a switch, so
 * some of the paths may turn nevertheless. Rows of single destinations can be replaced by such as have no
 * turn ({@link #straighten}).
 */
public final class LegalHops implements NextHops {
    private static final int NONE = 255;

    private final Links links;
    private final Fabric fabric;
    private final Steps steps;

    /** By switch: where its bytes begin in a row. */
    private final int[] first;

    /** By destination: a bit for each port of each switch. */
    private final byte[][] next;

    /** Which way a step leads. */
    public enum Way {
        /** Up, after which everything is allowed. */
        UP,
        /** Down, after which the way up is closed. */
        DOWN,
        /** Neither, after which everything is allowed. */
        LEVEL
    }

    /** How an engine sees steps. */
    public interface Steps {
        /** Returns the way from one switch to its neighbour, as a search goes, against the packets. */
        Way of(int from, int to);
    }

    /**
     * Searches from all switches.
     *
     * @param seeds hops that are known before a search
     * @param seeded destinations for which these count; none of the others is known before
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
     * Returns a copy with a way over one switch, at which packets turn up again, wherever there is none to
     * some destinations.
     *
     * @param turn the switch
     */
    LegalHops over(int turn, BitSet destinations) {
        byte[][] more = next.clone();
        destinations.stream().filter(to -> lead(turn, to)).forEach(to -> {
            more[to] = next[to].clone();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                if (!lead(sw, to)) {
                    System.arraycopy(next[turn], first[sw], more[to], first[sw], first[sw + 1] - first[sw]);
                }
            }
        });
        return new LegalHops(this, more);
    }

    /** The search from one destination. */
    private final class Search {
        private final int to;

        /** By port index, and by switch the least of its ports. */
        private final byte[] hops = new byte[fabric.portCount()];

        private final int[] least = new int[fabric.switchCount()];
        private final int[] queue = new int[least.length];
        private final boolean[] isQueued = new boolean[least.length];
        private final Way[] way = new Way[least.length];
        private int head;
        private int waiting;

        Search(int to) {
            this.to = to;
            Arrays.fill(hops, (byte) NONE);
            Arrays.fill(least, NONE);
            least[to] = 0;
        }

        void begin(Hops seeds) {
            for (int sw = 0; sw < least.length; sw++) {
                for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                    lower(sw, port, seeds.through(port, to));
                }
            }
            least[to] = 0;
        }

        private boolean lower(int sw, int port, int value) {
            boolean isLower = value < (hops[port] & 0xff);
            if (isLower) {
                hops[port] = (byte) value;
                least[sw] = Math.min(least[sw], value);
            }
            return isLower;
        }

        byte[] row() {
            add(to, Way.UP);
            while (waiting > 0) {
                int sw = queue[head];
                head = head + 1 == queue.length ? 0 : head + 1;
                waiting--;
                isQueued[sw] = false;
                for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                    step(sw, port);
                }
            }
            byte[] row = new byte[first[least.length]];
            for (int sw = 0; sw < least.length; sw++) {
                for (int portNum = 1; sw != to && least[sw] < NONE && portNum <= fabric.numPorts(sw); portNum++) {
                    boolean isLeast = (hops[fabric.port(sw, portNum)] & 0xff) == least[sw];
                    mark(row, sw, portNum, isLeast);
                }
            }
            return row;
        }

        private void step(int sw, int port) {
            int from = links.behind(port);
            if (from == Fabric.NONE) {
                return;
            }
            Way one = steps.of(sw, from);
            boolean isLegal = way[sw] != Way.DOWN || one != Way.UP;
            if (isLegal && lower(from, fabric.peer(port), least[sw] + 1) && !isQueued[from]) {
                add(from, one);
            }
        }

        private void add(int sw, Way by) {
            way[sw] = by;
            isQueued[sw] = true;
            queue[(head + waiting++) % queue.length] = sw;
        }
    }

    private void mark(byte[] row, int sw, int portNum, boolean isNext) {
        row[first[sw] + (portNum >> 3)] |= (byte) (isNext ? 1 << (portNum & 7) : 0);
    }

    /**
     * Takes ways without turns to some destinations, in an order of switches; the shortest of them where
     * there is a choice.
     */
    public void straighten(BitSet destinations, UpDownRoutes order) {
        destinations.stream().forEach(to -> {
            order.measure(to);
            byte[] row = next[to];
            Arrays.fill(row, (byte) 0);
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int portNum = 1; sw != to && portNum <= fabric.numPorts(sw); portNum++) {
                    int by = links.behind(fabric.port(sw, portNum));
                    boolean isWay = by != Fabric.NONE && order.isWay(sw, by);
                    mark(row, sw, portNum, isWay);
                }
            }
        });
    }

    /** Checks whether there is a path. */
    public boolean lead(int sw, int to) {
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
            for (int rest = next[to][i] & 0xff; rest != 0; rest &= rest - 1) {
                into[count++] = (i - first[sw] << 3) + Integer.numberOfTrailingZeros(rest);
            }
        }
        return count;
    }
}
