package io.torussm.routing;

import io.torussm.mad.smp.LinearForwardingTable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The entries of a last resort that differ from the engine's. Sparse, since most entries are the engine's.
 * Immutable.
 */
public final class Detours {
    /** The detours of a plan without a last resort. */
    static final Detours NONE = new Detours(new int[0][], new byte[0][]);

    private static final int[] NO_LIDS = {};

    /** By switch: LIDs whose entry differs, ascending. */
    private final int[][] lids;

    /** By switch: the engine's entry for each of these LIDs, 0xFF where it had none. */
    private final byte[][] wished;

    private Detours(int[][] lids, byte[][] wished) {
        this.lids = lids;
        this.wished = wished;
    }

    /**
     * Compares two sets of tables.
     *
     * @param lfts the tables that were made, by switch and LID
     * @param engine tables that the engine would have
     */
    public static Detours of(byte[][] lfts, Plan engine) {
        int[][] lids = new int[lfts.length][];
        byte[][] wished = new byte[lfts.length][];
        for (int sw = 0; sw < lfts.length; sw++) {
            byte[] made = lfts[sw];
            byte[] previous = engine.lft(sw);
            int[] bent = Arrays.equals(made, previous)
                    ? NO_LIDS
                    : IntStream.range(0, made.length)
                            .filter(lid -> made[lid] != previous[lid])
                            .toArray();
            byte[] ports = new byte[bent.length];
            for (int i = 0; i < bent.length; i++) {
                ports[i] = previous[bent[i]];
            }
            lids[sw] = bent;
            wished[sw] = ports;
        }
        return new Detours(lids, wished);
    }

    /**
     * Returns the same for switches that have other indexes.
     *
     * @param sources by new index: the index that the switch had
     */
    Detours reindexed(int[] sources) {
        return lids.length == 0
                ? this
                : new Detours(
                        Arrays.stream(sources).mapToObj(sw -> lids[sw]).toArray(int[][]::new),
                        Arrays.stream(sources).mapToObj(sw -> wished[sw]).toArray(byte[][]::new));
    }

    /**
     * Explains why an entry is a detour.
     *
     * @param engine engine that refused
     * @return empty if the entry is the engine's
     */
    String why(String engine, int sw, int dlid) {
        int at = lids.length == 0 ? -1 : Arrays.binarySearch(lids[sw], dlid);
        if (at < 0) {
            return "";
        }
        int port = wished[sw][at] & 0xff;
        return "detour of the last resort: "
                + (port == LinearForwardingTable.NO_PATH
                        ? engine + " has no port for LID " + dlid + " here"
                        : "port " + port + ", which " + engine + " would take, leads into a dead end or a credit loop");
    }
}
