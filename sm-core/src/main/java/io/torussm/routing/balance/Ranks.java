package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The ranks of switches: the number of cables to the nearest switch of a given set, such as the roots of a tree.
 * Immutable.
 */
public final class Ranks {
    /** The rank of a switch that is not connected to the set. */
    public static final int UNREACHABLE = Integer.MAX_VALUE;

    private final int[] rank;

    /**
     * Computes the ranks by a breadth-first search.
     *
     * @param from switches of rank 0, by index
     */
    public Ranks(Links links, BitSet from) {
        Fabric fabric = links.fabric();
        rank = new int[fabric.switchCount()];
        int[] queue = new int[rank.length];
        int tail = 0;
        Arrays.fill(rank, UNREACHABLE);
        for (int sw : links.order()) {
            if (from.get(sw)) {
                rank[sw] = 0;
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int next = links.farSwitch(port);
                if (next != Fabric.NONE && rank[next] == UNREACHABLE) {
                    rank[next] = rank[sw] + 1;
                    queue[tail++] = next;
                }
            }
        }
    }

    /**
     * Creates known ranks.
     *
     * @param known rank by switch index, {@link #UNREACHABLE} for a switch without a rank; copied
     */
    public Ranks(int[] known) {
        rank = known.clone();
    }

    /** Returns the rank of a switch. */
    public int of(int sw) {
        return rank[sw];
    }
}
