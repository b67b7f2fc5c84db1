package io.torussm.routing.minhop;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Finding;
import io.torussm.routing.PortRole;
import io.torussm.routing.RoutingPlan;
import io.torussm.subnet.Subnet;
import java.util.List;

/** Tables of {@link MinHopEngine}. Every SL may be used by everyone, and has the VL of its number. */
final class MinHopPlan implements RoutingPlan {
    /** VL = SL, except that SL 15 shares VL7: VL15 carries management only. */
    private static final long IDENTITY = 0x0123_4567_89ab_cde7L;

    private static final int ALL_SLS = 0xffff;

    private final Subnet subnet;
    private final byte[][] lfts;
    private final int[] island;

    MinHopPlan(Subnet subnet, byte[][] lfts, int[] island) {
        this.subnet = subnet;
        this.lfts = lfts;
        this.island = island;
    }

    @Override
    public String engine() {
        return MinHopEngine.NAME;
    }

    @Override
    public Subnet subnet() {
        return subnet;
    }

    @Override
    public byte[] lft(int sw) {
        return lfts[sw];
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return IDENTITY;
    }

    @Override
    public long sl2vl(int endport) {
        return IDENTITY;
    }

    @Override
    public int pathSl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        int to = subnet.switchOfLid(dstLid);
        return from != Fabric.NONE && to != Fabric.NONE && island[from] == island[to] ? wanted & 0xf : -1;
    }

    @Override
    public int slMask(int srcSw, int dstSw) {
        return island[srcSw] == island[dstSw] ? ALL_SLS : 0;
    }

    @Override
    public PortRole role(int sw, int portNum) {
        Fabric fabric = subnet.fabric();
        int far = fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? PortRole.FABRIC_LINK : PortRole.HOST_LINK;
    }

    @Override
    public boolean deadlockFree() {
        return false;
    }

    @Override
    public List<Finding> findings() {
        return List.of();
    }
}
