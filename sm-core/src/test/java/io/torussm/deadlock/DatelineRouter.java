package io.torussm.deadlock;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.PlanSketch;
import io.torussm.testing.TorusSketch;

/**
 * Textbook routes of a torus: dimension order, and the shorter way around each ring. A path that crosses the dateline
 * of a ring (between its last switch and its first) has VL 1 on this ring; bit d of the SL selects this for dimension
 * d.
 */
public final class DatelineRouter {
    private DatelineRouter() {}

    public static PlanSketch route(TorusSketch torus) {
        PlanSketch plan = new PlanSketch(torus.subnet());
        plan.coordinates = torus::place;
        int switches = plan.lfts.length;
        int[][] lids = new int[switches][torus.hosts() + 1];
        int[] known = new int[switches];
        for (int lid = 1; lid <= torus.subnet().topLid(); lid++) {
            int sw = torus.subnet().switchOfLid(lid);
            lids[sw][known[sw]++] = lid;
        }
        for (int from = 0; from < switches; from++) {
            for (int to = 0; to < switches; to++) {
                for (int i = 0; i < lids[to].length && from != to; i++) {
                    plan.lfts[from][lids[to][i]] = (byte) torus.port(group(torus, from, to), i % torus.parallel());
                }
            }
        }
        plan.rows = (sw, in, out) -> row(torus.group(out) / 2, true);
        int[] radix = torus.radix();
        int[][] at = new int[3][switches];
        for (int d = 0; d < 3; d++) {
            for (int sw = 0; sw < switches; sw++) {
                at[d][sw] = torus.at(sw, d);
            }
        }
        plan.masks = (from, to) -> {
            int crossings = (crosses(at[0][from], at[0][to], radix[0]) ? 1 : 0)
                    | (crosses(at[1][from], at[1][to], radix[1]) ? 2 : 0)
                    | (crosses(at[2][from], at[2][to], radix[2]) ? 4 : 0);
            return 0x101 << crossings;
        };
        return plan;
    }

    /**
     * Returns the SL2VL row of an output port: bit 0 of the VL is SL bit d, bit 2 is SL bit 3.
     *
     * @param d dimension 0 to 2; 3 for a host, whose VL is SL bit 3
     * @param datelines false for 0 in place of SL bit d
     */
    public static long row(int d, boolean datelines) {
        int[] vls = new int[16];
        for (int sl = 0; sl < vls.length; sl++) {
            vls[sl] = d == 3 ? sl >> 3 : (datelines ? sl >> d & 1 : 0) | sl >> 3 << 2;
        }
        return SlToVlMappingTable.pack(vls);
    }

    private static int group(TorusSketch torus, int from, int to) {
        for (int d = 0; d < 3; d++) {
            int s = torus.at(from, d);
            int t = torus.at(to, d);
            if (s != t) {
                return 2 * d + (t > s != crosses(s, t, torus.radix()[d]) ? 1 : 0);
            }
        }
        throw new IllegalArgumentException("switch " + from + " is where it wants to go");
    }

    private static boolean crosses(int s, int t, int radix) {
        return 2 * Math.abs(t - s) > radix;
    }

    /** Routes a ring of four: unicast makes every turn but one in either direction, so every tree closes a loop. */
    public static void routeAlmostEveryTurn(TorusSketch ring, PlanSketch tables) {
        for (int lid = 1; lid <= ring.subnet().topLid(); lid++) {
            int to = ring.subnet().switchOfLid(lid);
            for (int from = 0; from < 4; from++) {
                int steps = (to - from + 4) % 4;
                boolean forward = steps == 1 || steps == 2 && lid % 2 == 0;
                if (steps != 0) {
                    tables.lfts[from][lid] = (byte) ring.port(forward ? 1 : 0, 0);
                }
            }
        }
        tables.rows = (sw, in, out) -> row(ring.group(out) / 2, true);
        tables.masks = (from, to) -> from == 0 && to == 2 ? 2 : 1;
    }
}
