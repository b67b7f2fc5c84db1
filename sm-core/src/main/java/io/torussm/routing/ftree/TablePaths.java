package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathSls;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/** Paths that there are where a table has an entry: a switch may reach some end ports of another and not the others. */
final class TablePaths implements PathSls {
    private final PathSls granted;
    private final Subnet subnet;
    private final byte[][] lfts;
    private final boolean isBySwitch;

    /** @param granted SLs where there is a path */
    TablePaths(PathSls granted, Subnet subnet, byte[][] lfts) {
        this.granted = granted;
        this.subnet = subnet;
        this.lfts = lfts;
        isBySwitch = granted.isBySwitch() && Arrays.stream(lfts).allMatch(this::isBySwitch);
    }

    private boolean isBySwitch(byte[] lft) {
        int[] seen = new int[lfts.length];
        for (int lid = 1; lid < lft.length; lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                seen[sw] |= leads(lft, lid) ? 1 : 2;
            }
        }
        return Arrays.stream(seen).noneMatch(both -> both == 3);
    }

    private static boolean leads(byte[] lft, int lid) {
        return lft[lid] != LinearForwardingTable.NO_PATH_ENTRY;
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        return from != Fabric.NONE && mask(from, dstLid) != 0 ? granted.sl(srcLid, dstLid, wanted) : -1;
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        return subnet.switchOfLid(dstLid) != Fabric.NONE && leads(lfts[srcSw], dstLid)
                ? granted.mask(srcSw, dstLid)
                : 0;
    }

    @Override
    public boolean isBySwitch() {
        return isBySwitch;
    }
}
