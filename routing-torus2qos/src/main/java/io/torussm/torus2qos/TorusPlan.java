package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Lattice;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Optional;

/** A routed torus. Immutable. */
final class TorusPlan implements Plan {
    private final Torus torus;
    private final Subnet subnet;
    private final byte[][] tables;
    private final TorusSl sls;
    private final TorusSl2Vl sl2vl;
    private final int maxChanges;
    private final List<Finding> doubts;
    private final List<Finding> findings;

    TorusPlan(
            Torus torus,
            Subnet subnet,
            byte[][] tables,
            TorusSl sls,
            TorusSl2Vl sl2vl,
            int maxChanges,
            List<Finding> doubts,
            List<Finding> findings) {
        this.torus = torus;
        this.subnet = subnet;
        this.tables = tables;
        this.sls = sls;
        this.sl2vl = sl2vl;
        this.maxChanges = maxChanges;
        this.doubts = List.copyOf(doubts);
        this.findings = List.copyOf(findings);
    }

    Torus torus() {
        return torus;
    }

    @Override
    public String engine() {
        return Torus2QosEngine.NAME;
    }

    @Override
    public Subnet subnet() {
        return subnet;
    }

    @Override
    public byte[] lft(int sw) {
        return tables[sw];
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        Fabric fabric = subnet.fabric();
        return torus.slotOfSwitch(sw) < 0
                ? sl2vl.endportRow()
                : sl2vl.row(torus.portClass(fabric.port(sw, in)), torus.portClass(fabric.port(sw, out)));
    }

    @Override
    public long sl2vl(int endport) {
        int node = subnet.fabric().nodeOf(endport);
        return subnet.fabric().isSwitch(node) && torus.slotOfSwitch(node) >= 0
                ? sl2vl.row(Dim.LOCAL_CLASS, Dim.LOCAL_CLASS)
                : sl2vl.endportRow();
    }

    @Override
    public int pathSl(int srcLid, int dstLid, int wanted) {
        return sls.pathSl(srcLid, dstLid, wanted);
    }

    @Override
    public int slMask(int srcSw, int dstSw) {
        int src = torus.slotOfSwitch(srcSw);
        int dst = torus.slotOfSwitch(dstSw);
        if (src < 0 || dst < 0) {
            return 0;
        }
        int sl = sls.betweenSlots(src, dst);
        return 1 << sl | 1 << (sl | TorusSl.QOS_BIT);
    }

    @Override
    public PortRole role(int sw, int portNum) {
        Fabric fabric = subnet.fabric();
        int port = fabric.port(sw, portNum);
        if (torus.slotOfSwitch(sw) < 0) {
            return PortRole.OTHER;
        } else if (torus.portClass(port) < Dim.LOCAL_CLASS) {
            return PortRole.FABRIC_LINK;
        }
        int peer = fabric.peer(port);
        boolean isStray = peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer));
        return portNum == 0 || isStray ? PortRole.OTHER : PortRole.HOST_LINK;
    }

    @Override
    public boolean deadlockFree() {
        return true;
    }

    @Override
    public Optional<MulticastTree> multicastTree() {
        return TorusTree.of(torus);
    }

    @Override
    public int[] multicastRoots() {
        return TorusTree.roots(torus);
    }

    /** SL 0 and 8: their packets are on the VLs of paths that cross no dateline. */
    @Override
    public int multicastSls() {
        return 1 | 1 << TorusSl.QOS_BIT;
    }

    @Override
    public List<Finding> changesSince(Plan before) {
        return before instanceof TorusPlan earlier ? TorusChanges.between(earlier.torus, torus, maxChanges) : List.of();
    }

    @Override
    public List<Finding> doubts() {
        return doubts;
    }

    @Override
    public String place(int sw) {
        int slot = torus.slotOfSwitch(sw);
        return slot < 0 ? "" : torus.place(torus.positionOf(slot));
    }

    @Override
    public Optional<Lattice> lattice() {
        return Optional.of(torus.lattice());
    }

    @Override
    public String why(int sw, int in, int out, int dlid) {
        return new HopReason(torus, sl2vl).why(sw, in, out, subnet.switchOfLid(dlid));
    }

    @Override
    public List<Finding> findings() {
        return findings;
    }
}
