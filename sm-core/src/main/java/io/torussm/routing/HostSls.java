package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;

/** The SLs of a plan, of which those count for the proof that hosts send to hosts. */
final class HostSls implements PathSls {
    private final PathSls all;
    private final Subnet subnet;

    /** By switch: whether a host hangs on it. */
    private final boolean[] hasHosts;

    HostSls(PathSls all, Subnet subnet) {
        this.all = all;
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        hasHosts = new boolean[fabric.switchCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = isHost(port) ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE) {
                hasHosts[sw] = true;
            }
        }
    }

    private boolean isHost(int port) {
        Fabric fabric = subnet.fabric();
        return fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        return all.sl(srcLid, dstLid, wanted);
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int to = subnet.portOfLid(dstLid);
        return hasHosts[srcSw] && to != Fabric.NONE && isHost(to) ? all.mask(srcSw, dstLid) : 0;
    }

    @Override
    public boolean isBySwitch() {
        return false;
    }
}
