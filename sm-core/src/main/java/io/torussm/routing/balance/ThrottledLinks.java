package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import java.util.Arrays;
import java.util.Optional;

/** The test for cables with a lower speed or fewer lanes than both ends have enabled. */
public final class ThrottledLinks {
    private ThrottledLinks() {}

    /**
     * Checks whether the PortInfo of either end shows that the cable at a port is throttled; false if the PortInfo
     * of an end is unknown.
     */
    public static boolean isThrottled(Fabric fabric, int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && (isBelow(fabric, port, far) || isBelow(fabric, far, port));
    }

    private static boolean isBelow(Fabric fabric, int port, int far) {
        PortInfo own = fabric.portInfo(port);
        PortInfo peer = fabric.portInfo(far);
        if (own == null || peer == null) {
            return false;
        }
        PortInfo governing = fabric.capabilityPortInfo(port);
        Optional<LinkSpeed> speed = LinkSpeed.of(own, governing);
        boolean isSlow = Arrays.stream(LinkSpeed.values())
                .filter(faster -> speed.isPresent() && faster.compareTo(speed.get()) > 0)
                .anyMatch(faster ->
                        faster.isEnabled(own, governing) && faster.isEnabled(peer, fabric.capabilityPortInfo(far)));
        return isSlow || isNarrow(own, peer);
    }

    private static boolean isNarrow(PortInfo own, PortInfo peer) {
        long enabled = own.get(PortInfo.LINK_WIDTH_ENABLED) & peer.get(PortInfo.LINK_WIDTH_ENABLED);
        LinkWidth active = LinkWidth.of(own).orElse(null); // an unknown width counts as the narrowest
        return Arrays.stream(LinkWidth.values())
                .filter(width -> active == null || width.compareTo(active) > 0)
                .anyMatch(wider -> (enabled & wider.code()) != 0);
    }
}
