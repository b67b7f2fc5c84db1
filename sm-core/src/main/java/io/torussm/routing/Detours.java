package io.torussm.routing;

import io.torussm.mad.smp.LinearForwardingTable;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The table entries of a last resort that differ from the entries of the engine that refused. The arrays contain
 * only these entries, because most entries are equal. Immutable.
 */
public final class Detours {
    /** The detours of a plan without a last resort. */
    static final Detours NONE = new Detours(new int[0][], new byte[0][]);

    private static final int[] NO_LIDS = {};

    /** {@code [switch]}: LIDs whose entry differs, ascending; no rows for {@link #NONE}. */
    private final int[][] lids;

    /** {@code [switch][i]}: the output port of the engine for {@code lids[switch][i]}, 0xFF for no path. */
    private final byte[][] enginePorts;

    private Detours(int[][] lids, byte[][] wished) {
        this.lids = lids;
        this.enginePorts = wished;
    }

    /**
     * Returns the differences between two sets of tables.
     *
     * @param lfts tables of the last resort {@code [switch][LID]}: output port
     * @param engine plan with the tables of the engine, for the same subnet
     */
    public static Detours of(byte[][] lfts, Plan engine) {
        int[][] lids = new int[lfts.length][];
        byte[][] wished = new byte[lfts.length][];
        for (int sw = 0; sw < lfts.length; sw++) {
            byte[] lft = lfts[sw];
            byte[] previous = engine.lft(sw);
            int[] changed = Arrays.equals(lft, previous)
                    ? NO_LIDS
                    : IntStream.range(0, lft.length)
                            .filter(lid -> lft[lid] != previous[lid])
                            .toArray();
            byte[] ports = new byte[changed.length];
            for (int i = 0; i < changed.length; i++) {
                ports[i] = previous[changed[i]];
            }
            lids[sw] = changed;
            wished[sw] = ports;
        }
        return new Detours(lids, wished);
    }

    /**
     * Returns these detours for other switch indexes.
     *
     * @param sources previous switch index by new switch index
     */
    Detours reindexed(int[] sources) {
        return lids.length == 0
                ? this
                : new Detours(
                        Arrays.stream(sources).mapToObj(sw -> lids[sw]).toArray(int[][]::new),
                        Arrays.stream(sources).mapToObj(sw -> enginePorts[sw]).toArray(byte[][]::new));
    }

    /**
     * Explains for operators why an entry is a detour.
     *
     * @param engine name of the engine that refused
     * @return explanation; empty if the entry is that of the engine
     */
    String explain(String engine, int sw, int dlid) {
        int i = lids.length == 0 ? -1 : Arrays.binarySearch(lids[sw], dlid);
        if (i < 0) {
            return "";
        }
        int port = enginePorts[sw][i] & 0xff;
        return "detour of the last resort: "
                + (port == LinearForwardingTable.NO_PATH
                        ? engine + " has no port for LID " + dlid + " here"
                        : "port " + port + ", which " + engine + " would take, leads into a dead end or a credit loop");
    }
}
