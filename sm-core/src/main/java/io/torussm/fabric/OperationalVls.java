package io.torussm.fabric;

import io.torussm.mad.smp.PortInfo;
import org.jspecify.annotations.Nullable;

/** How many virtual lanes a link is given (IBA 14.2.5.6, OperationalVLs). */
public final class OperationalVls {
    /** The VL code of a port that carries VL0 to VL14. */
    public static final int MAX_CODE = 5;

    private OperationalVls() {}

    /**
     * The OperationalVLs that a port is set to: what both ends of the cable can, and no more than the operator allows.
     *
     * @param port port index
     * @param maxOpVls the operator's cap, a VL code 1 to 5
     * @return VL code 1 to 5; an end that was not asked does not limit, and a reserved VLCap counts as VL0 alone
     */
    public static int code(Fabric fabric, int port, int maxOpVls) {
        int code = Math.min(maxOpVls, cap(fabric.portInfo(port)));
        int far = fabric.peer(port);
        return far == Fabric.NONE ? code : Math.min(code, cap(fabric.portInfo(far)));
    }

    private static int cap(@Nullable PortInfo info) {
        if (info == null) {
            return MAX_CODE;
        }
        return info.vlCap() < 1 || info.vlCap() > MAX_CODE ? 1 : info.vlCap();
    }
}
