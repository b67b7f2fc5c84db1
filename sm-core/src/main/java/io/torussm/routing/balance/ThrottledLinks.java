package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.PortInfo;
import java.util.Arrays;
import java.util.Optional;

/** Cables that run more slowly, or with fewer lanes, than both ends are allowed to. */
public final class ThrottledLinks {
    /** Codes of LinkWidthActive (IBA 14.2.5.6), the widest first: 12x, 8x, 4x, 2x, 1x. */
    private static final int[] WIDTHS = {8, 4, 2, 16, 1};

    private ThrottledLinks() {}

    /** Checks whether the cable at a port is throttled, according to either end; false if an end is unknown. */
    public static boolean has(Fabric fabric, int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && (isBelow(fabric, port, far) || isBelow(fabric, far, port));
    }

    private static boolean isBelow(Fabric fabric, int port, int far) {
        PortInfo one = fabric.portInfo(port);
        PortInfo other = fabric.portInfo(far);
        if (one == null || other == null) {
            return false;
        }
        PortInfo governing = fabric.governing(port);
        Optional<LinkSpeed> speed = LinkSpeed.of(one, governing);
        boolean isSlow = Arrays.stream(LinkSpeed.values())
                .filter(faster -> speed.isPresent() && faster.compareTo(speed.get()) > 0)
                .anyMatch(faster -> faster.isEnabled(one, governing) && faster.isEnabled(other, fabric.governing(far)));
        return isSlow || isNarrow(one, other);
    }

    private static boolean isNarrow(PortInfo one, PortInfo other) {
        long active = one.get(PortInfo.LINK_WIDTH_ACTIVE);
        long enabled = one.get(PortInfo.LINK_WIDTH_ENABLED) & other.get(PortInfo.LINK_WIDTH_ENABLED);
        for (int width : WIDTHS) {
            if (width == active || (enabled & width) != 0) {
                return width != active;
            }
        }
        return false;
    }
}
