package io.torussm.routing;

import java.util.Arrays;
import java.util.BitSet;

/** Edges of a graph of channels that must not be, and the entries that one task found to make them. */
final class Cuts {
    private final long[] edges;

    /** Links that a packet holds on one of the edges. */
    private final BitSet held = new BitSet();

    private long[] entries = new long[256];
    private int count;

    /**
     * Cuts without entries.
     *
     * @param edges the channel that is held in the upper half, the one that is waited for in the lower; ascending
     */
    Cuts(long[] edges) {
        this.edges = edges;
        for (long edge : edges) {
            held.set((int) (edge >>> 32) / Channels.VLS);
        }
    }

    static long edge(int holds, int wants) {
        return (long) holds << 32 | wants;
    }

    /** Whether packets that go from one link to another may make one of the edges. */
    boolean isBetween(int link, int next) {
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

    /** Whether an edge is among those between some VLs of one link and some of the next (bit n: VL n). */
    boolean contains(int link, int holds, int next, int wants) {
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

    void drop(int sw, int[] lids) {
        if (count + lids.length > entries.length) {
            entries = Arrays.copyOf(entries, 2 * (count + lids.length));
        }
        for (int lid : lids) {
            entries[count++] = (long) sw << 32 | lid;
        }
    }

    /** The switch in the upper half, the LID in the lower; in no order, and some more than once. */
    long[] entries() {
        return Arrays.copyOf(entries, count);
    }
}
