package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;

/**
 * The SLs that a proof assumes if only hosts send to hosts: the SLs of the plan, or all 16 SLs for hosts that
 * ignore path records.
 */
final class HostSls implements PathSls {
    /** The SLs of the plan. */
    private final PathSls planSls;

    private final Subnet subnet;
    private final boolean isAny;

    /** True if ports 0 of switches count as hosts, since there are no hosts. */
    private final boolean isHostless;

    /** By switch: true if a host is attached to it. */
    private final boolean[] hasHosts;

    /**
     * Creates the SLs of hosts.
     *
     * @param isAny true if hosts send with any SL instead of the SL of the path. Then, on a subnet without hosts,
     *     ports 0 of switches count as hosts
     */
    HostSls(PathSls all, Subnet subnet, boolean isAny) {
        this.planSls = all;
        this.subnet = subnet;
        this.isAny = isAny;
        Fabric fabric = subnet.fabric();
        isHostless = isAny && IntStream.range(0, fabric.portCount()).noneMatch(this::isHost);
        hasHosts = new boolean[fabric.switchCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = isIncluded(port) ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE) {
                hasHosts[sw] = true;
            }
        }
    }

    /** Checks whether packets from and to an end port are part of the proof. */
    private boolean isIncluded(int port) {
        return isHostless || isHost(port);
    }

    private boolean isHost(int port) {
        Fabric fabric = subnet.fabric();
        return fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        return planSls.sl(srcLid, dstLid, wanted);
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int to = subnet.portOfLid(dstLid);
        int sls = hasHosts[srcSw] && to != Fabric.NONE && isIncluded(to) ? planSls.mask(srcSw, dstLid) : 0;
        return isAny && sls != 0 ? 0xffff : sls;
    }

    @Override
    public boolean isBySwitch() {
        return false;
    }
}
