package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A plan under construction. At first, a table has entries for LIDs at its own switch only, and all packets have SL 0
 * and VL 0; a test adds the rest.
 */
public final class PlanSketch {
    /** Entry of a forwarding table that drops packets. */
    public static final byte NO_PATH = (byte) 0xff;

    /** SLs that multicast may have, bit n for SL n: 0 and 8, the same path at both QoS levels. */
    private static final int MULTICAST_SLS = 1 << 0 | 1 << 8;

    public final Subnet subnet;

    /** The egress port number by [switch][LID]; {@link #NO_PATH} for none. */
    public final byte[][] lfts;

    /** The name of the engine that made the plan. */
    public String engine = "tables";

    public boolean claimsDeadlockFree = true;

    /** The SL2VL rows of switches: 4 bits for the VL of each SL, SL 0 in the highest. */
    public Plan.SwitchRows rows = (sw, in, out) -> 0;

    /** The SL2VL rows of hosts. */
    public Plan.EndportRows sourceRows = endport -> 0;

    /** SLs by source switch and destination switch, bit n for SL n. */
    public Masks masks = (from, to) -> 1;

    /** SLs by source switch and destination LID; null if {@link #masks} applies. */
    public @Nullable Masks masksByLid;

    /** The multicast tree, or else the switches that may be its root. */
    public Optional<MulticastTree> tree = Optional.empty();

    public int[] roots = {};

    /** The coordinates of a switch, such as {@code (0,0,0)}. */
    public IntFunction<String> coordinates = sw -> "";

    /** SLs from a switch to a switch or a LID, bit n for SL n. */
    public interface Masks {
        int sls(int from, int to);
    }

    public PlanSketch(Subnet subnet) {
        this.subnet = subnet;
        lfts = new byte[subnet.fabric().switchCount()][subnet.topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, NO_PATH);
        }
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int endport = subnet.portOfLid(lid);
            int sw = subnet.switchOfLid(lid);
            if (sw == Fabric.NONE) {
                continue;
            }
            boolean isPort0 = subnet.fabric().nodeOf(endport) == sw;
            lfts[sw][lid] = (byte)
                    (isPort0 ? 0 : subnet.fabric().portNum(subnet.fabric().peer(endport)));
        }
    }

    public Subnet subnet() {
        return subnet;
    }

    /** Returns the SLs of paths from a switch to a LID, bit n for SL n; 0 if the LID has no switch. */
    public int slMask(int from, int dlid) {
        int to = subnet.switchOfLid(dlid);
        return masksByLid != null ? masksByLid.sls(from, dlid) : to == Fabric.NONE ? 0 : masks.sls(from, to);
    }

    /** Returns the plan, which changes with later changes of tables and SLs. */
    public Plan plan() {
        PlanBuilder builder = Plan.builder(engine, subnet, lfts)
                .ownSl2Vl(1, (sw, in, out) -> rows.row(sw, in, out), endport -> sourceRows.row(endport))
                .sls(new Sls())
                .roles((sw, portNum) -> PortRole.OTHER)
                .multicast(tree, roots, MULTICAST_SLS)
                .explainer(new PlanExplainer() {
                    @Override
                    public String coordinates(int sw) {
                        return coordinates.apply(sw);
                    }
                });
        return (claimsDeadlockFree ? builder.claimsDeadlockFree() : builder).build();
    }

    private final class Sls implements PathSls {
        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            int sls = slMask(subnet.switchOfLid(srcLid), dstLid);
            return sls == 0 ? -1 : Integer.numberOfTrailingZeros(sls);
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return slMask(srcSw, dstLid);
        }

        @Override
        public boolean isBySwitch() {
            return masksByLid == null;
        }
    }
}
