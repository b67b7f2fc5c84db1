package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/**
 * Checks of the port of the SM, and of the switch to which it is attached. Discovery finds all other devices through
 * the responses of the agent of that switch. If the agent does not respond, all other devices seem to be absent,
 * although the switch still forwards SMPs to them.
 */
final class OwnSwitch {
    private OwnSwitch() {}

    /**
     * Checks whether a discovered fabric is smaller than the published one only because the own switch is silent.
     *
     * @param found fabric of a whole discovery
     * @param published published view; null if no subnet is up
     */
    static boolean hidesOthers(Fabric found, @Nullable PublishedView published) {
        PortInfo localInfo = found.portInfo(found.localPort());
        boolean isSmaller = published != null
                && published.subnet().fabric().switchCount() > found.switchCount()
                && published.subnet().fabric().localSwitch() != Fabric.NONE;
        return isSmaller && localInfo != null && localInfo.isLinkUp() && isSilent(found);
    }

    /** Checks whether CapabilityMask.IsSM of the port of this SM is 0, although this SM has set it. */
    static boolean lacksIsSm(Fabric found) {
        PortInfo localInfo = found.portInfo(found.localPort());
        return localInfo != null && !localInfo.hasCapability(PortInfo.CAP_IS_SM);
    }

    private static boolean isSilent(Fabric found) {
        int sw = found.localSwitch();
        return sw == Fabric.NONE
                ? found.peer(found.localPort()) == Fabric.NONE
                : found.node(sw).switchInfo() == null || found.portInfo(found.port(sw, 0)) == null;
    }
}
