package io.torussm.routing.minhop;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.subnet.Subnet;
import java.util.List;

/**
 * Tables of {@link MinHopEngine}. Everyone may use every SL that has a data VL on all kinds of ports that there are: whoever
 * answers a packet sends with its SL.
 */
final class MinHopPlan implements Plan {
    private final Subnet subnet;
    private final byte[][] lfts;
    private final int[] island;
    private final Sl2VlTables sl2vl;
    private final int usableSls;

    MinHopPlan(Subnet subnet, byte[][] lfts, int[] island, Sl2VlTables sl2vl) {
        this.subnet = subnet;
        this.lfts = lfts;
        this.island = island;
        this.sl2vl = sl2vl;
        this.usableSls = usableSls();
    }

    private int usableSls() {
        Fabric fabric = subnet.fabric();
        int usable = Sl2VlTables.usable(sl2vl.switchExternal()) & Sl2VlTables.usable(sl2vl.switchPort0());
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            usable &= Sl2VlTables.usable(isRouter(node) ? sl2vl.router() : sl2vl.ca());
        }
        return usable;
    }

    private boolean isRouter(int node) {
        return subnet.fabric().node(node).info().nodeType() == NodeInfo.ROUTER;
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
    public boolean hasOwnSl2Vl() {
        return false;
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return in == 0 && out == 0 ? sl2vl.switchPort0() : sl2vl.switchExternal();
    }

    @Override
    public long sl2vl(int endport) {
        int node = subnet.fabric().nodeOf(endport);
        return subnet.fabric().isSwitch(node) ? sl2vl.switchPort0() : isRouter(node) ? sl2vl.router() : sl2vl.ca();
    }

    @Override
    public int pathSl(int srcLid, int dstLid, int wanted) {
        int from = subnet.switchOfLid(srcLid);
        int to = subnet.switchOfLid(dstLid);
        boolean isReachable = from != Fabric.NONE && to != Fabric.NONE && island[from] == island[to];
        return isReachable && (usableSls >> wanted & 1) != 0 ? wanted : -1;
    }

    @Override
    public int slMask(int srcSw, int dstSw) {
        return island[srcSw] == island[dstSw] ? usableSls : 0;
    }

    @Override
    public int multicastSls() {
        return usableSls;
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
