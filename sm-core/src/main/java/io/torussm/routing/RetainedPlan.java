package io.torussm.routing;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.List;
import java.util.Optional;

/**
 * A plan that goes on although hosts went or came back: nothing between switches changed, and every end port that is there
 * has the place and the LIDs that it was routed with. Who is absent keeps his entries, so that his return costs nothing;
 * what was proved of the plan holds, since there is only less traffic. Immutable.
 */
public final class RetainedPlan implements Plan {
    private final Plan routed;
    private final Subnet subnet;

    private RetainedPlan(Plan routed, Subnet subnet) {
        this.routed = routed;
        this.subnet = subnet;
    }

    /** The plan of a subnet by an earlier one, empty if it has to be routed anew. */
    public static Optional<Plan> of(Plan earlier, Subnet subnet) {
        Plan routed = routed(earlier);
        return isWithin(subnet, routed.subnet())
                ? Optional.of(new RetainedPlan(
                        routed, subnet.reachingTo(routed.subnet().topLid())))
                : Optional.empty();
    }

    /** What an engine made: the plan itself unless it is a retained one. */
    public static Plan routed(Plan plan) {
        return plan instanceof RetainedPlan retained ? retained.routed : plan;
    }

    private static boolean isWithin(Subnet subnet, Subnet routed) {
        Fabric now = subnet.fabric();
        Fabric then = routed.fabric();
        if (now.switchCount() != then.switchCount() || subnet.gidPrefix() != routed.gidPrefix()) {
            return false;
        }
        for (int sw = 0; sw < now.switchCount(); sw++) {
            if (!isSameSwitch(subnet, routed, sw)) {
                return false;
            }
        }
        for (int node = now.switchCount(); node < now.nodeCount(); node++) {
            for (int port = now.port(node, 1); port <= now.port(node, now.numPorts(node)); port++) {
                if (now.isEndport(port) && !isSameEndport(subnet, routed, port)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Same GUID, LID, ports and cables to switches. Switches come first in both fabrics, so indexes can be compared. */
    private static boolean isSameSwitch(Subnet subnet, Subnet routed, int sw) {
        Fabric now = subnet.fabric();
        Fabric then = routed.fabric();
        if (now.nodeGuid(sw) != then.nodeGuid(sw)
                || now.numPorts(sw) != then.numPorts(sw)
                || subnet.lid(now.port(sw, 0)) != routed.lid(then.port(sw, 0))
                || subnet.lmc(now.port(sw, 0)) != routed.lmc(then.port(sw, 0))) {
            return false;
        }
        for (int portNum = 1; portNum <= now.numPorts(sw); portNum++) {
            if (switchPort(now, sw, portNum) != switchPort(then, sw, portNum)) {
                return false;
            }
        }
        return true;
    }

    /** The port of another switch that a port is cabled to; {@link Fabric#NONE} if it is cabled to none. */
    private static int switchPort(Fabric fabric, int sw, int portNum) {
        int far = fabric.peer(fabric.port(sw, portNum));
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? far : Fabric.NONE;
    }

    private static boolean isSameEndport(Subnet subnet, Subnet routed, int port) {
        Fabric now = subnet.fabric();
        Fabric then = routed.fabric();
        int known = counterpart(subnet, routed, port);
        int far = now.peer(port);
        return known != Fabric.NONE
                && subnet.lmc(port) == routed.lmc(known)
                && far != Fabric.NONE
                && now.isSwitch(now.nodeOf(far))
                && far == then.peer(known);
    }

    /** The same end port in the fabric that was routed, by LID and GUID; {@link Fabric#NONE} if it was not there. */
    private static int counterpart(Subnet subnet, Subnet routed, int port) {
        int lid = subnet.lid(port);
        int known = lid == 0 ? Fabric.NONE : routed.portOfLid(lid);
        boolean isSame = known != Fabric.NONE
                && routed.lid(known) == lid
                && routed.fabric().portGuid(known) == subnet.fabric().portGuid(port);
        return isSame ? known : Fabric.NONE;
    }

    @Override
    public String engine() {
        return routed.engine();
    }

    @Override
    public Subnet subnet() {
        return subnet;
    }

    /** Entries of those who are absent included. */
    @Override
    public byte[] lft(int sw) {
        return routed.lft(sw);
    }

    @Override
    public boolean hasOwnSl2Vl() {
        return routed.hasOwnSl2Vl();
    }

    @Override
    public long sl2vl(int sw, int in, int out) {
        return routed.sl2vl(sw, in, out);
    }

    @Override
    public long sl2vl(int endport) {
        return routed.sl2vl(counterpart(subnet, routed.subnet(), endport));
    }

    @Override
    public int pathSl(int srcLid, int dstLid, int wanted) {
        return routed.pathSl(srcLid, dstLid, wanted);
    }

    @Override
    public int slMask(int srcSw, int dstSw) {
        return routed.slMask(srcSw, dstSw);
    }

    @Override
    public PortRole role(int sw, int portNum) {
        return routed.role(sw, portNum);
    }

    @Override
    public boolean deadlockFree() {
        return routed.deadlockFree();
    }

    @Override
    public String place(int sw) {
        return routed.place(sw);
    }

    @Override
    public Optional<Lattice> lattice() {
        return routed.lattice();
    }

    @Override
    public List<Finding> findings() {
        return routed.findings();
    }

    @Override
    public Optional<MulticastTree> multicastTree() {
        return routed.multicastTree().map(tree -> tree.on(subnet.fabric()));
    }

    @Override
    public int[] multicastRoots() {
        return routed.multicastRoots();
    }

    @Override
    public int multicastSls() {
        return routed.multicastSls();
    }

    @Override
    public List<Finding> doubts() {
        return routed.doubts();
    }

    @Override
    public List<Finding> changesSince(Plan before) {
        return routed.changesSince(routed(before));
    }

    @Override
    public String why(int sw, int in, int out, int dlid) {
        return routed.why(sw, in, out, dlid);
    }
}
