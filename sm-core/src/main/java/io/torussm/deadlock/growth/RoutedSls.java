package io.torussm.deadlock.growth;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathSls;
import io.torussm.subnet.Subnet;

/** The SLs of an engine, for those pairs that tables have a route for. */
final class RoutedSls implements PathSls {
    private final PathSls all;
    private final Subnet subnet;
    private final byte[][] lfts;

    /**
     * Routes, and the SLs that they would have.
     *
     * @param lfts by switch; an entry of 0xFF means that packets do not get from the switch to the LID
     */
    RoutedSls(PathSls all, Subnet subnet, byte[][] lfts) {
        this.all = all;
        this.subnet = subnet;
        this.lfts = lfts;
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        return from != Fabric.NONE && hasRoute(from, dstLid) ? all.sl(srcLid, dstLid, wanted) : -1;
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        return hasRoute(srcSw, dstLid) ? all.mask(srcSw, dstLid) : 0;
    }

    private boolean hasRoute(int sw, int lid) {
        return lid >= 0 && lid < lfts[sw].length && lfts[sw][lid] != LinearForwardingTable.NO_PATH_ENTRY;
    }

    @Override
    public boolean isBySwitch() {
        return all.isBySwitch();
    }
}
