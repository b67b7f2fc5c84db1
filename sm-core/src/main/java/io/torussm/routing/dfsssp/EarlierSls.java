package io.torussm.routing.dfsssp;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.lanes.KeptPaths;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The SLs of paths in the active plan, for the switches and LIDs that are still present. Switches are indexes of
 * the current fabric.
 */
final class EarlierSls {
    private final Plan plan;
    private final Subnet subnet;

    /** By switch: its index in the fabric of the active plan. */
    private final int[] oldIndexes;

    EarlierSls(Plan plan, Subnet subnet) {
        this.plan = plan;
        this.subnet = subnet;
        oldIndexes = IntStream.range(0, subnet.fabric().switchCount())
                .map(sw -> plan.subnet().fabric().nodeByGuid(subnet.fabric().nodeGuid(sw)))
                .toArray();
    }

    /** Returns the SL from a switch to a LID; {@link Fabric#NONE} if the plan has no such path. */
    int sl(int sw, int lid) {
        int mask = plan.slMask(oldIndexes[sw], lid);
        return mask == 0 ? Fabric.NONE : Integer.numberOfTrailingZeros(mask);
    }

    /** Checks whether a path to some of the LIDs has SL 0. */
    boolean hasZero(int[] lids) {
        return IntStream.of(lids)
                .anyMatch(lid -> IntStream.range(0, oldIndexes.length).anyMatch(sw -> sl(sw, lid) == 0));
    }

    /**
     * Returns findings with the numbers of paths that keep route and SL, that keep only the SL, and others.
     *
     * @param sls new SLs {@code [switch][LID]}
     */
    List<Finding> notes(KeptEntries keptEntries, byte[][] sls, int[] lids) {
        long same = 0;
        long rerouted = 0;
        long others = 0;
        for (int lid : lids) {
            for (int sw = 0; sw < oldIndexes.length; sw++) {
                if (sw != subnet.switchOfLid(lid) && sl(sw, lid) != Fabric.NONE) {
                    boolean isSame = sl(sw, lid) == sls[sw][lid];
                    same += isSame && keptEntries.isWhole(sw, lid) ? 1 : 0;
                    rerouted += isSame && !keptEntries.isWhole(sw, lid) ? 1 : 0;
                    others += isSame ? 0 : 1;
                }
            }
        }
        return new KeptPaths(same, rerouted, others).notes(DfssspEngine.NAME, "paths between switches and LIDs");
    }
}
