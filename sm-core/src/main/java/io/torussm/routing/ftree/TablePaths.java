package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathSls;
import io.torussm.routing.balance.RoutedSls;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Paths that there are where a table has an entry: a switch may reach some end ports of another and not the others. */
final class TablePaths implements PathSls {
    private final PathSls routed;
    private final Subnet subnet;
    private final boolean isBySwitch;

    /** @param granted SLs where there is a path */
    TablePaths(PathSls granted, Subnet subnet, byte[][] lfts) {
        this.subnet = subnet;
        routed = new RoutedSls(granted, subnet, lfts);
        isBySwitch = granted.isBySwitch() && Arrays.stream(lfts).allMatch(this::isBySwitch);
    }

    private boolean isBySwitch(byte[] lft) {
        int[] seen = new int[subnet.fabric().switchCount()];
        for (int lid = 1; lid < lft.length; lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                seen[sw] |= lft[lid] == LinearForwardingTable.NO_PATH_ENTRY ? 2 : 1;
            }
        }
        return Arrays.stream(seen).noneMatch(both -> both == 3);
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        return subnet.switchOfLid(dstLid) == Fabric.NONE ? -1 : routed.sl(srcLid, dstLid, wanted);
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        return subnet.switchOfLid(dstLid) == Fabric.NONE ? 0 : routed.mask(srcSw, dstLid);
    }

    @Override
    public boolean isBySwitch() {
        return isBySwitch;
    }

    @Override
    public @Nullable PathSls ofRoutes(byte[][] lfts) {
        return routed.ofRoutes(lfts);
    }
}
