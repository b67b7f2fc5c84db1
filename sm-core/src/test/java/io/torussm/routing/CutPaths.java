package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.subnet.Subnet;
import java.util.Random;

/** The paths of a plan that lost cables cut, for tests of engines that keep all other paths. */
public final class CutPaths {
    private static final int ATTEMPTS = 10;

    private CutPaths() {}

    /** Returns the subnet without one cable between switches, if all stay connected. */
    public static Subnet withoutSome(Subnet subnet, Random random) {
        Fabric fabric = subnet.fabric();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int sw = random.nextInt(fabric.switchCount());
            int portNum = 1 + random.nextInt(fabric.numPorts(sw));
            int far = fabric.peer(fabric.port(sw, portNum));
            if (far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far))) {
                FabricBuilder builder = FabricBuilder.of(fabric);
                builder.unlink(fabric.nodeGuid(sw), portNum);
                builder.retrace();
                Fabric less = builder.build();
                if (less.nodeCount() == fabric.nodeCount()) {
                    return subnet.restrictedTo(less);
                }
            }
        }
        return subnet;
    }

    /**
     * Checks whether the path of a plan from a switch to a LID is complete in a subnet with the same
     * switches.
     */
    public static boolean isWhole(Plan plan, Subnet now, int start, int lid) {
        return end(plan, plan, now, start, lid) == now.switchOfLid(lid);
    }

    /** Checks whether two plans have the same path, as far as it exists in the subnet of the second. */
    public static boolean isSameWay(Plan before, Plan after, int start, int lid) {
        return end(before, after, after.subnet(), start, lid) == end(before, before, after.subnet(), start, lid);
    }

    /** Returns the switch at which the way ends, or at which the plans differ. */
    private static int end(Plan plan, Plan other, Subnet now, int start, int lid) {
        Fabric fabric = now.fabric();
        int sw = start;
        while (sw != Fabric.NONE && sw != now.switchOfLid(lid)) {
            int far = fabric.peer(fabric.port(sw, plan.lft(sw)[lid]));
            sw = far == Fabric.NONE || plan.lft(sw)[lid] != other.lft(sw)[lid] ? Fabric.NONE : fabric.nodeOf(far);
        }
        return sw;
    }
}
