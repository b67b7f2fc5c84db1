package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.subnet.Subnet;

/**
 * The SL from each switch to each LID.
 *
 * @param sls by switch, then by LID; {@link Fabric#NONE} where there is none
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
