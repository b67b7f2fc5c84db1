package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.subnet.Subnet;

/**
 * The distribution of unused lanes over the lanes in use: each goes to the lane with the most paths per SL so
 * far, as in OpenSM. The SL of a path among those of its lane follows from the LIDs of its source switch and
 * its destination. OpenSM draws it at random at every query.
 */
final class LaneSpreading {
    private final Paths paths;
    private final byte[][] laneOf;
    private final LaneSls sls;
    private final int[] widths;
    private final int[] starts;

    /**
     * Shares lanes out.
     *
     * @param laneOf by switch, then by LID; {@link Fabric#NONE} for none
     * @param used lanes in use
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
        for (int given = 0; given < sls.most(); given++) {
            widths[given < used ? given : fullest(loads)]++;
        }
        for (int lane = 0; lane < used; lane++) {
            starts[lane + 1] = starts[lane] + widths[lane];
        }
    }

    private int fullest(long[] loads) {
        int fullest = 0;
        for (int lane = 1; lane < loads.length; lane++) {
            fullest = loads[lane] * widths[fullest] > loads[fullest] * widths[lane] ? lane : fullest;
        }
        return fullest;
    }

    /** Returns the SL, by switch, then by LID; {@link Fabric#NONE} for none. */
    byte[][] table() {
        Subnet subnet = paths.subnet();
        byte[][] table = paths.table();
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
