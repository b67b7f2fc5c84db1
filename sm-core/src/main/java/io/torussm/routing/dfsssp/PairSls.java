package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.subnet.Subnet;

/**
 * The SLs of a plan of this engine, one for each switch and LID.
 *
 * @param sls SLs {@code [switch][LID]}, {@link Fabric#NONE} for no path
 */
record PairSls(Subnet subnet, byte[][] sls) implements PathSls {
    /**
     * {@inheritDoc} It is the SL of the lane, for any wanted SL: another SL would put the path in another
     * lane.
     */
    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        return from == Fabric.NONE || subnet.switchOfLid(dstLid) == Fabric.NONE ? -1 : sls[from][dstLid];
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int sl = sls[srcSw][dstLid];
        return sl == Fabric.NONE ? 0 : 1 << sl;
    }

    @Override
    public boolean isBySwitch() {
        return false;
    }
}
