package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;

/** How far switches are from certain others, each cable counting once. Immutable. */
public final class Ranks {
    /** The rank of a switch that is not connected to any of the ranked switches. */
    public static final int FAR = Integer.MAX_VALUE;

    private final int[] rank;

    /** Measures from some switches, which have rank 0. */
    public Ranks(Links links, BitSet from) {
        Fabric fabric = links.fabric();
        rank = new int[fabric.switchCount()];
        int[] queue = new int[rank.length];
        int tail = 0;
        Arrays.fill(rank, FAR);
        for (int sw : links.order()) {
            if (from.get(sw)) {
                rank[sw] = 0;
                queue[tail++] = sw;
            }
        }
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int next = links.behind(port);
                if (next != Fabric.NONE && rank[next] == FAR) {
                    rank[next] = rank[sw] + 1;
                    queue[tail++] = next;
                }
            }
        }
    }

    /** Uses known ranks, by switch index; {@link #FAR} for switches without a rank. */
    public Ranks(int[] known) {
        rank = known.clone();
    }

    /** Returns the rank of a switch. */
    public int of(int sw) {
        return rank[sw];
    }
}
