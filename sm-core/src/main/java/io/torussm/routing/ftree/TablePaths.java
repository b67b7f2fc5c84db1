package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathSls;
import io.torussm.routing.balance.RoutedSls;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The SLs of paths in incomplete tables. A pair has a path if the table of the source's switch has an entry for
 * the LID. So a switch may reach some end ports of another switch and not all of them.
 */
final class TablePaths implements PathSls {
    private final PathSls routed;
    private final Subnet subnet;
    private final boolean isBySwitch;

    /**
     * @param granted SLs of pairs with a path
     * @param lfts tables {@code [switch][LID]}, 0xFF for no path
     */
    TablePaths(PathSls granted, Subnet subnet, byte[][] lfts) {
        this.subnet = subnet;
        routed = new RoutedSls(granted, subnet, lfts);
        isBySwitch = granted.isBySwitch() && Arrays.stream(lfts).allMatch(this::isBySwitch);
    }

    /** Checks whether a table has entries for all LIDs of each switch and its hosts, or for none of them. */
    private boolean isBySwitch(byte[] lft) {
        int[] states = new int[subnet.fabric().switchCount()];
        for (int lid = 1; lid < lft.length; lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                states[sw] |= lft[lid] == LinearForwardingTable.NO_PATH_ENTRY ? 2 : 1;
            }
        }
        return Arrays.stream(states).noneMatch(state -> state == 3);
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
