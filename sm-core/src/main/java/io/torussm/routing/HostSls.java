package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;

/** The SLs of a plan, of which those count for the proof that hosts send to hosts; or all SLs, wherever it has a path. */
final class HostSls implements PathSls {
    private final PathSls all;
    private final Subnet subnet;
    private final boolean isAny;

    /** Whether ports 0 of switches count as hosts, since there are no others. */
    private final boolean isHostless;

    /** By switch: whether a host hangs on it. */
    private final boolean[] hasHosts;

    /**
     * The SLs of hosts.
     *
     * @param isAny whether hosts send with any SL instead of that of the path; without hosts, switches
     */
    HostSls(PathSls all, Subnet subnet, boolean isAny) {
        this.all = all;
        this.subnet = subnet;
        this.isAny = isAny;
        Fabric fabric = subnet.fabric();
        isHostless = isAny && IntStream.range(0, fabric.portCount()).noneMatch(this::isHost);
        hasHosts = new boolean[fabric.switchCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = counts(port) ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE) {
                hasHosts[sw] = true;
            }
        }
    }

    private boolean counts(int port) {
        return isHostless || isHost(port);
    }

    private boolean isHost(int port) {
        Fabric fabric = subnet.fabric();
        return fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
    }

    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        return all.sl(srcLid, dstLid, wanted);
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int to = subnet.portOfLid(dstLid);
        int sls = hasHosts[srcSw] && to != Fabric.NONE && counts(to) ? all.mask(srcSw, dstLid) : 0;
        return isAny && sls != 0 ? 0xffff : sls;
    }

    @Override
    public boolean isBySwitch() {
        return false;
    }
}
