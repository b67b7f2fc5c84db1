package io.torussm.history;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/** The SLs that a plan grants, the source of its SL rows. Confined to one thread. */
final class GrantedSls implements Row.Source {
    private final Plan plan;

    /** The source of the last comparison; the result is the same for all switches. */
    private @Nullable GrantedSls lastCompared;

    private boolean isSame;

    GrantedSls(Plan plan) {
        this.plan = plan;
    }

    /**
     * Asks the engine whether paths between the same coordinates have the same SLs. Rows are by LID, so that
     * both plans need the same LIDs at the same coordinates.
     */
    @Override
    @SuppressWarnings("ReferenceEquality") // The same object is meant.
    public boolean makesSameAs(Row.Source source) {
        if (source instanceof GrantedSls other && other != lastCompared) {
            lastCompared = other;
            isSame = plan.isSlMaskBySwitch() == other.plan.isSlMaskBySwitch()
                    && plan.hasOwnSl2Vl() == other.plan.hasOwnSl2Vl()
                    && plan.sls().isSameAs(other.plan.sls())
                    && areLidsUnchanged(plan.subnet(), other.plan.subnet());
        }
        return source == lastCompared && isSame;
    }

    private static boolean areLidsUnchanged(Subnet currentSubnet, Subnet previousSubnet) {
        for (int lid = 1; lid <= currentSubnet.topLid(); lid++) {
            if (switchGuid(currentSubnet, lid) != switchGuid(previousSubnet, lid)
                    || isSwitch(currentSubnet, lid) != isSwitch(previousSubnet, lid)) {
                return false;
            }
        }
        return currentSubnet.topLid() == previousSubnet.topLid();
    }

    private static long switchGuid(Subnet subnet, int lid) {
        int sw = subnet.switchOfLid(lid);
        return sw == Fabric.NONE ? 0 : subnet.fabric().nodeGuid(sw);
    }

    private static boolean isSwitch(Subnet subnet, int lid) {
        int port = subnet.portOfLid(lid);
        return port != Fabric.NONE && subnet.fabric().isSwitch(subnet.fabric().nodeOf(port));
    }
}
