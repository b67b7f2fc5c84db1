package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Forbidden edges of a graph of channels, and the entries of tables that one task found to cause them. */
public final class ForbiddenEdges {
    private final long[] edges;

    /** Links that a packet occupies on one of the edges. */
    private final BitSet held = new BitSet();

    /** By switch: LIDs; null if there are none. */
    private final @Nullable BitSet[] dropped;

    /**
     * Creates the edges, without entries.
     *
     * @param switches number of switches of the fabric
     * @param edges the channel that a packet occupies in the upper half, the one that it waits for in the
     *     lower; ascending
     */
    public ForbiddenEdges(int switches, long[] edges) {
        this.edges = edges;
        dropped = new BitSet[switches];
        for (long edge : edges) {
            held.set((int) (edge >>> 32) / Channels.VLS);
        }
    }

    public static long edge(int holds, int wants) {
        return (long) holds << 32 | wants;
    }

    /** Checks whether packets that go from one link to another may make one of the edges. */
    public boolean isBetween(int link, int next) {
        if (!held.get(link)) {
            return false;
        }
        for (int vl = 0; vl < Channels.VLS; vl++) {
            int at = Arrays.binarySearch(edges, edge(link * Channels.VLS + vl, next * Channels.VLS));
            int first = at < 0 ? -at - 1 : at;
            if (first < edges.length && edges[first] < edge(link * Channels.VLS + vl, (next + 1) * Channels.VLS)) {
                return true;
            }
        }
        return false;
    }

    /** Checks whether there is an edge between some VLs of one link and some of the next (bit n: VL n). */
    public boolean contains(int link, int holds, int next, int wants) {
        for (int from = holds; from != 0; from &= from - 1) {
            for (int to = wants; to != 0; to &= to - 1) {
                int held = link * Channels.VLS + Integer.numberOfTrailingZeros(from);
                int wanted = next * Channels.VLS + Integer.numberOfTrailingZeros(to);
                if (Arrays.binarySearch(edges, edge(held, wanted)) >= 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Records that the entries of a switch for some LIDs cause one of the edges. */
    public void drop(int sw, int[] lids) {
        BitSet ownEdges = dropped[sw];
        if (ownEdges == null) {
            ownEdges = new BitSet();
            dropped[sw] = ownEdges;
        }
        for (int lid : lids) {
            ownEdges.set(lid);
        }
    }

    /** Adds the LIDs whose entries at a switch cause one of the edges. */
    public void addDropped(int sw, BitSet lids) {
        BitSet ownEdges = dropped[sw];
        if (ownEdges != null) {
            lids.or(ownEdges);
        }
    }
}
