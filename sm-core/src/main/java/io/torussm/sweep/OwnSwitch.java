package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.view.PublishedView;
import org.jspecify.annotations.Nullable;

/**
 * The switch that the SM hangs on. Everybody is found through what it tells of itself, although its agent has no part in passing SMPs on:
 * if that is silent all others seem to be gone, and are not.
 */
final class OwnSwitch {
    private OwnSwitch() {}

    /**
     * Whether only its silence makes a fabric look smaller than what is published.
     *
     * @param found as a whole
     * @param published null if nothing is
     */
    static boolean hidesOthers(Fabric found, @Nullable PublishedView published) {
        PortInfo own = found.portInfo(found.localPort());
        boolean isSmaller = published != null
                && published.subnet().fabric().switchCount() > found.switchCount()
                && published.subnet().fabric().localSwitch() != Fabric.NONE;
        return isSmaller && own != null && own.isLinkUp() && isSilent(found);
    }

    private static boolean isSilent(Fabric found) {
        int sw = found.localSwitch();
        return sw == Fabric.NONE
                ? found.peer(found.localPort()) == Fabric.NONE
                : found.node(sw).switchInfo() == null || found.portInfo(found.port(sw, 0)) == null;
    }
}
