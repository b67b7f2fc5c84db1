package io.torussm.routing.file;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.balance.NextHops;
import io.torussm.routing.balance.PortReasons;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of hops that a file determines.
 *
 * @param hops ports that the file allows; null if the file names the port of each hop
 */
record FileReasons(Subnet subnet, @Nullable NextHops hops) implements PlanExplainer {
    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        int to = subnet.switchOfLid(dlid);
        if (to == Fabric.NONE || to == sw) {
            return "";
        }
        return hops == null
                ? "as " + FileEngine.TABLES.key() + " has it"
                : "nearest by " + FileEngine.HOPS.key() + "; " + PortReasons.choice(subnet.fabric(), hops, sw, to);
    }
}
