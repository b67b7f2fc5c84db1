package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The recorded SLs of paths: for each switch a byte for each LID. The lower half of a byte is the SL for
 * requested SLs 0 to 7, the upper half that for 8 to 15, as torus-2QoS grants them. Other engines grant one
 * SL for all, or the requested SL; the latter are in {@link #granted}.
 *
 * @param granted SLs (bit n: SL n) that are granted if requested; 0 if the engine chooses
 * @param isBySwitch whether the rows have only LIDs of switches, which also apply to their hosts
 * @param rows by switch; null for one without
 */
record PastSls(Subnet subnet, int granted, boolean isBySwitch, byte[] @Nullable [] rows) implements PathSls {
    /** No path: SL 15 in the lower half and SL 0 in the upper one; no engine grants this combination. */
    static final byte NO_PATH = 0x0f;

    private static final int FIRST_UPPER_SL = 8;
    private static final int LEVELS = 16;

    /**
     * Returns the SLs that a plan grants if they are requested; 0 if its engine chooses, or has no such set.
     */
    static int granted(Plan plan) {
        if (plan.hasOwnSl2Vl()) {
            return 0;
        }
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            int lid = fabric.isEndport(port) ? subnet.lid(port) : 0;
            int granted = 0;
            for (int wanted = 0; lid != 0 && wanted < LEVELS; wanted++) {
                int sl = plan.pathSl(lid, lid, wanted);
                if (sl >= 0 && sl != wanted) {
                    return 0;
                }
                granted |= sl == wanted ? 1 << wanted : 0;
            }
            if (granted != 0) {
                return granted;
            }
        }
        return 0;
    }

    /** Returns the row of a switch. */
    static byte[] row(Plan plan, int sw, int granted) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int from = subnet.lid(fabric.port(sw, 0));
        int probe = granted == 0 ? 0 : Integer.numberOfTrailingZeros(granted);
        byte[] row = new byte[subnet.topLid() + 1];
        for (int lid = 0; lid < row.length; lid++) {
            int to = subnet.portOfLid(lid);
            boolean isWanted = to != Fabric.NONE && (!plan.isSlMaskBySwitch() || fabric.isSwitch(fabric.nodeOf(to)));
            int lower = isWanted && from != 0 ? plan.pathSl(from, lid, probe) : -1;
            int upper = lower < 0 || granted != 0 ? 0 : Math.max(0, plan.pathSl(from, lid, FIRST_UPPER_SL));
            row[lid] = lower < 0 ? NO_PATH : granted != 0 ? 0 : (byte) (lower | upper << 4);
        }
        return row;
    }

    /**
     * Counts paths of a switch whose SL changed. A path that exists in only one of the rows is not counted.
     *
     * @param length length of the shorter row
     */
    static int countChanged(byte[] old, byte[] row, int length) {
        int changed = 0;
        for (int lid = 0; lid < length; lid++) {
            boolean isInBoth = old[lid] != NO_PATH && row[lid] != NO_PATH;
            changed += isInBoth && old[lid] != row[lid] ? 1 : 0;
        }
        return changed;
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        int entry = from == Fabric.NONE ? NO_PATH : entry(from, dstLid);
        if (entry == NO_PATH || (granted != 0 && (granted >> wanted & 1) == 0)) {
            return -1;
        }
        return granted != 0 ? wanted : wanted < FIRST_UPPER_SL ? entry & 0xf : entry >> 4 & 0xf;
    }

    private int entry(int sw, int dstLid) {
        int to = subnet.switchOfLid(dstLid);
        int lid = isBySwitch && to != Fabric.NONE ? subnet.lid(subnet.fabric().port(to, 0)) : dstLid;
        byte[] row = rows[sw];
        return to == Fabric.NONE || row == null || lid >= row.length ? NO_PATH : row[lid];
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int entry = entry(srcSw, dstLid);
        return entry == NO_PATH ? 0 : granted != 0 ? granted : 1 << (entry & 0xf) | 1 << (entry >> 4 & 0xf);
    }

    @Override
    public boolean isBySwitch() {
        return isBySwitch;
    }
}
