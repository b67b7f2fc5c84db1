package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.subnet.Subnet;

/**
 * The distribution of unused SLs over the lanes in use. Each unused SL goes to the lane with the most paths per
 * SL so far, as in OpenSM. If a lane has several SLs, the LIDs of the source switch and of the destination
 * determine the SL of a path. OpenSM draws the SL at random at each query.
 */
final class LaneSpreading {
    private final Paths paths;
    private final byte[][] laneOf;
    private final LaneSls sls;
    /** By lane: the number of its SLs. */
    private final int[] widths;
    /** By lane: the index of its first SL; the last entry is the number of SLs. */
    private final int[] starts;

    /**
     * Distributes the SLs.
     *
     * @param laneOf lanes {@code [switch][LID]}, {@link Fabric#NONE} for no lane
     * @param used number of lanes in use
     */
    LaneSpreading(Paths paths, byte[][] laneOf, int used, LaneSls sls) {
        this.paths = paths;
        this.laneOf = laneOf;
        this.sls = sls;
        long[] loads = new long[used];
        for (int sw = 0; sw < laneOf.length; sw++) {
            for (byte lane : laneOf[sw]) {
                if (lane != Fabric.NONE) {
                    loads[lane] += Math.max(1, paths.hostLids(sw));
                }
            }
        }
        widths = new int[used];
        starts = new int[used + 1];
        for (int assigned = 0; assigned < sls.maxLanes(); assigned++) {
            widths[assigned < used ? assigned : fullest(loads)]++;
        }
        for (int lane = 0; lane < used; lane++) {
            starts[lane + 1] = starts[lane] + widths[lane];
        }
    }

    /** Returns the lane with the most paths per SL. Quotients are compared by cross multiplication. */
    private int fullest(long[] loads) {
        int fullest = 0;
        for (int lane = 1; lane < loads.length; lane++) {
            fullest = loads[lane] * widths[fullest] > loads[fullest] * widths[lane] ? lane : fullest;
        }
        return fullest;
    }

    /** Returns SLs {@code [switch][LID]}, {@link Fabric#NONE} for no path. */
    byte[][] table() {
        Subnet subnet = paths.subnet();
        byte[][] table = paths.newTable();
        for (int sw = 0; sw < table.length; sw++) {
            int own = subnet.lid(subnet.fabric().port(sw, 0));
            for (int lid = 0; lid < table[sw].length; lid++) {
                int lane = laneOf[sw][lid];
                if (lane != Fabric.NONE) {
                    table[sw][lid] = (byte) sls.sl(starts[lane] + (own + lid) % widths[lane]);
                }
            }
        }
        return table;
    }
}
