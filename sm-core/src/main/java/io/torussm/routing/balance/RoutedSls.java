package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The SLs of an engine, restricted to pairs that have a route in given tables. */
public final class RoutedSls implements PathSls {
    private final PathSls planSls;
    private final Subnet subnet;
    private final byte[][] lfts;

    /**
     * Creates the SLs of routes.
     *
     * @param lfts tables {@code [switch][LID]}, 0xFF for no path; kept, not copied
     * @param all SLs of all pairs
     */
    public RoutedSls(PathSls all, Subnet subnet, byte[][] lfts) {
        this.planSls = all;
        this.subnet = subnet;
        this.lfts = lfts;
    }

    /** Returns the SLs of a plan for other tables. A pair has an SL if both the plan and the tables have a route. */
    public static RoutedSls of(Plan plan, byte[][] lfts) {
        byte[][] own = new byte[lfts.length][];
        Arrays.setAll(own, plan::lft);
        PathSls granted = plan.sls().ofRoutes(own);
        if (granted == null || !haveEntries(own, lfts, false)) {
            granted = plan.sls();
        }
        return new RoutedSls(granted, plan.subnet(), lfts);
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        return from != Fabric.NONE && hasRoute(from, dstLid) ? planSls.sl(srcLid, dstLid, wanted) : -1;
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        return hasRoute(srcSw, dstLid) ? planSls.mask(srcSw, dstLid) : 0;
    }

    private boolean hasRoute(int sw, int lid) {
        return lid >= 0 && lid < lfts[sw].length && hasEntry(lfts[sw], lid);
    }

    private static boolean hasEntry(byte[] lft, int lid) {
        return lft[lid] != LinearForwardingTable.NO_PATH_ENTRY;
    }

    @Override
    public boolean isBySwitch() {
        return planSls.isBySwitch();
    }

    @Override
    public @Nullable PathSls ofRoutes(byte[][] tables) {
        return haveEntries(lfts, tables, true) ? planSls : null;
    }

    /**
     * Checks whether tables have an entry wherever other tables have one.
     *
     * @param isExact true to require that the tables have no further entries
     */
    private static boolean haveEntries(byte[][] tables, byte[][] others, boolean isExact) {
        if (tables.length != others.length) {
            return false;
        }
        for (int sw = 0; sw < tables.length; sw++) {
            byte[] lft = tables[sw];
            byte[] other = others[sw];
            if (lft.length != other.length) {
                return false;
            }
            for (int lid = 1; lft != other && lid < lft.length; lid++) {
                if (lft[lid] != other[lid]
                        && hasEntry(lft, lid) != hasEntry(other, lid)
                        && (isExact || hasEntry(other, lid))) {
                    return false;
                }
            }
        }
        return true;
    }
}
