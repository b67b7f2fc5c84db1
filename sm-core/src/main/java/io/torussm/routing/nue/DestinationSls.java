package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.lanes.LaneSls;
import io.torussm.subnet.Subnet;

/**
 * The SLs of a plan of this engine. The SL of a path depends only on the destination LID.
 *
 * @param lanes lane by LID; {@link Fabric#NONE} for a LID without a lane
 */
record DestinationSls(Subnet subnet, LaneSls sls, byte[] lanes) implements PathSls {
    /**
     * {@inheritDoc} It is the SL of the lane, for any wanted SL: another SL would put the path in another
     * lane.
     */
    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        boolean isPath = subnet.switchOfLid(srcLid) != Fabric.NONE && subnet.switchOfLid(dstLid) != Fabric.NONE;
        return isPath ? sls.sl(lanes[dstLid]) : -1;
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        return 1 << sls.sl(lanes[dstLid]);
    }

    @Override
    public boolean isBySwitch() {
        return false;
    }
}
