package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The forbidden edges of a graph of channels, and the table entries that one task found to cause such edges. */
public final class ForbiddenEdges {
    /** Edges in the form of {@link #edge}, ascending. */
    private final long[] edges;

    /** Links of the channels that a packet occupies on one of the edges. */
    private final BitSet heldLinks = new BitSet();

    /** [switch] LIDs whose entries cause an edge; null without such entries. */
    private final @Nullable BitSet[] dropped;

    /**
     * Creates a set of forbidden edges, without table entries.
     *
     * @param switches number of switches of the fabric
     * @param edges edges in the form of {@link #edge}, ascending
     */
    public ForbiddenEdges(int switches, long[] edges) {
        this.edges = edges;
        dropped = new BitSet[switches];
        for (long edge : edges) {
            heldLinks.set((int) (edge >>> 32) / Channels.VLS);
        }
    }

    /**
     * Returns an edge: the channel that a packet occupies in the upper 32 bits, the one that it waits for in the lower.
     */
    public static long edge(int holds, int wants) {
        return (long) holds << 32 | wants;
    }

    /** Checks whether an edge leads from a channel of one link to a channel of the next link. */
    public boolean isBetween(int link, int next) {
        if (!heldLinks.get(link)) {
            return false;
        }
        for (int vl = 0; vl < Channels.VLS; vl++) {
            int position = Arrays.binarySearch(edges, edge(link * Channels.VLS + vl, next * Channels.VLS));
            int first = position < 0 ? -position - 1 : position;
            if (first < edges.length && edges[first] < edge(link * Channels.VLS + vl, (next + 1) * Channels.VLS)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Checks whether an edge leads from one of some VLs of a link to one of some VLs of the next link.
     *
     * @param holds VLs of {@code link} (bit n: VL n)
     * @param wants VLs of {@code next} (bit n: VL n)
     */
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
        BitSet droppedLids = dropped[sw];
        if (droppedLids == null) {
            droppedLids = new BitSet();
            dropped[sw] = droppedLids;
        }
        for (int lid : lids) {
            droppedLids.set(lid);
        }
    }

    /** Adds to a set the LIDs whose entries at a switch cause one of the edges. */
    public void addDropped(int sw, BitSet lids) {
        BitSet droppedLids = dropped[sw];
        if (droppedLids != null) {
            lids.or(droppedLids);
        }
    }
}
