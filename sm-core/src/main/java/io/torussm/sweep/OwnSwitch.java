package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/**
 * The port of the SM, and the switch to which it is attached. All devices are found through the answers of its agent,
 * although it forwards SMPs without that agent. If the agent does not respond, all others seem to be absent, although
 * they are not.
 */
final class OwnSwitch {
    private OwnSwitch() {}

    /**
     * Checks whether its missing answers are the only reason why a fabric is smaller than the published one.
     *
     * @param found whole discovered fabric
     * @param published null if there is none
     */
    static boolean hidesOthers(Fabric found, @Nullable PublishedView published) {
        PortInfo own = found.portInfo(found.localPort());
        boolean isSmaller = published != null
                && published.subnet().fabric().switchCount() > found.switchCount()
                && published.subnet().fabric().localSwitch() != Fabric.NONE;
        return isSmaller && own != null && own.isLinkUp() && isSilent(found);
    }

    /** Checks whether the port of this SM does not report an SM, although this SM has set IsSM. */
    static boolean lacksIsSm(Fabric found) {
        PortInfo own = found.portInfo(found.localPort());
        return own != null && !own.can(PortInfo.CAP_IS_SM);
    }

    private static boolean isSilent(Fabric found) {
        int sw = found.localSwitch();
        return sw == Fabric.NONE
                ? found.peer(found.localPort()) == Fabric.NONE
                : found.node(sw).switchInfo() == null || found.portInfo(found.port(sw, 0)) == null;
    }
}
