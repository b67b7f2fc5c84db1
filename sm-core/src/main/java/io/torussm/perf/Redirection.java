package io.torussm.perf;

import io.torussm.fabric.Fabric;
import io.torussm.mad.ClassPortInfo;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadAddress;
import org.jspecify.annotations.Nullable;

/**
 * The address to which an agent redirects requests (IBA 13.5.1). It is accepted only if it is in the subnet, there is
 * a path to it, and its P_Key is the default one. The SL is that of the path. The SL of the agent is ignored, because
 * only the routing plan can select an SL that avoids credit loops.
 *
 * @param to address; null if it is rejected
 * @param objection reason of the rejection; empty if the address is accepted
 */
record Redirection(@Nullable MadAddress to, String objection) {
    private static final int DEFAULT_P_KEY = 0x7fff;

    static Redirection of(ClassPortInfo info, Subnet subnet, Plan plan) {
        int lid = (int) info.get(ClassPortInfo.REDIRECT_LID);
        int qpn = (int) info.get(ClassPortInfo.REDIRECT_QP);
        if (lid == 0 || subnet.portOfLid(lid) == Fabric.NONE) {
            return refusal("LID " + lid + " belongs to no port of this subnet");
        } else if (qpn == 0) {
            return refusal("QP 0 takes SMPs only");
        } else if ((info.get(ClassPortInfo.REDIRECT_P_KEY) & DEFAULT_P_KEY) != DEFAULT_P_KEY) {
            return refusal(String.format("P_Key 0x%04x", info.get(ClassPortInfo.REDIRECT_P_KEY)));
        }
        int sl = plan.pathSl(subnet.smLid(), lid, 0);
        int qKey = (int) info.get(ClassPortInfo.REDIRECT_Q_KEY);
        return sl < 0
                ? refusal("there is no path to LID " + lid)
                : new Redirection(new MadAddress(lid, qpn, sl, 0, 0, null, qKey), "");
    }

    private static Redirection refusal(String reason) {
        return new Redirection(null, reason);
    }
}
