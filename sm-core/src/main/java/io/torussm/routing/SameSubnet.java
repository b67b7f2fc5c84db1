package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The comparison of a subnet with one that was routed. It finds the part that the tables of the routed subnet
 * serve.
 */
final class SameSubnet implements ServedPart.Tables {
    private final Subnet then;
    private final Subnet now;

    /**
     * By node of the subnet as it is now: its index in the one that was routed; {@link Fabric#NONE} if it was
     * not there.
     */
    private final int[] known;

    /**
     * Creates a comparison.
     *
     * @param previousSubnet the subnet that was routed
     */
    SameSubnet(Subnet previousSubnet, Subnet currentSubnet) {
        this.then = previousSubnet;
        this.now = currentSubnet;
        known = IntStream.range(0, currentSubnet.fabric().nodeCount())
                .map(node -> previousSubnet
                        .fabric()
                        .nodeByGuid(currentSubnet.fabric().nodeGuid(node)))
                .toArray();
    }

    /** Checks whether a subnet equals a routed one except for absent hosts. */
    static boolean isWithin(Subnet currentSubnet, Subnet routed) {
        return currentSubnet.fabric().switchCount() == routed.fabric().switchCount()
                && new SameSubnet(routed, currentSubnet).isPart();
    }

    /**
     * Checks whether a subnet equals that of a plan except for absent hosts and absent switches that carry no
     * transit traffic.
     */
    static boolean isWithoutLeaves(Subnet currentSubnet, Plan plan) {
        SameSubnet same = new SameSubnet(plan.subnet(), currentSubnet);
        return same.isPart()
                && IntStream.range(0, currentSubnet.fabric().switchCount())
                        .allMatch(sw -> same.isUntouched(sw, plan.lft(same.known[sw])));
    }

    /** Checks whether all present devices were there before, with the same cables and the same room for groups. */
    private boolean isPart() {
        Fabric fabric = now.fabric();
        if (now.gidPrefix() != then.gidPrefix()) {
            return false;
        }
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (!hasSwitch(sw)
                    || !hasAllCables(sw)
                    || fabric.hasMulticast(sw) != then.fabric().hasMulticast(known[sw])) {
                return false;
            }
        }
        for (int port = fabric.port(fabric.switchCount(), 0); port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !hasEndport(port)) {
                return false;
            }
        }
        return true;
    }

    private boolean hasAllCables(int sw) {
        Fabric fabric = now.fabric();
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int far = switchPort(fabric, port);
            if (far == Fabric.NONE ? isSwitchThere(switchPort(then.fabric(), before(port))) : !hasCable(port)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the port of another switch that a port is cabled to; {@link Fabric#NONE} if it is cabled to none. */
    private static int switchPort(Fabric fabric, int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? far : Fabric.NONE;
    }

    /** Checks whether the switch of a routed port is present. */
    private boolean isSwitchThere(int port) {
        Fabric previousFabric = then.fabric();
        return port != Fabric.NONE
                && now.fabric().nodeByGuid(previousFabric.nodeGuid(previousFabric.nodeOf(port))) != Fabric.NONE;
    }

    /** Checks whether a table sends no packet for a present destination to an absent switch. */
    private boolean isUntouched(int sw, byte[] lft) {
        Fabric fabric = now.fabric();
        BitSet gone = new BitSet();
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int port = fabric.port(sw, portNum);
            gone.set(
                    portNum,
                    switchPort(fabric, port) == Fabric.NONE && switchPort(then.fabric(), before(port)) != Fabric.NONE);
        }
        return gone.isEmpty()
                || IntStream.rangeClosed(1, now.topLid())
                        .noneMatch(lid -> now.switchOfLid(lid) != Fabric.NONE && gone.get(lft[lid] & 0xff));
    }

    @Override
    public boolean hasSwitch(int sw) {
        Fabric previousFabric = then.fabric();
        Fabric fabric = now.fabric();
        return known[sw] != Fabric.NONE
                && previousFabric.isSwitch(known[sw])
                && previousFabric.numPorts(known[sw]) == fabric.numPorts(sw)
                && then.lid(previousFabric.port(known[sw], 0)) == now.lid(fabric.port(sw, 0))
                && then.lmc(previousFabric.port(known[sw], 0)) == now.lmc(fabric.port(sw, 0));
    }

    @Override
    public boolean hasCable(int port) {
        int before = before(port);
        int far = before == Fabric.NONE ? Fabric.NONE : then.fabric().peer(before);
        return far != Fabric.NONE && far == before(now.fabric().peer(port));
    }

    /** Returns the same port of the same node as it was then. */
    private int before(int port) {
        int node = port == Fabric.NONE ? Fabric.NONE : known[now.fabric().nodeOf(port)];
        int portNum = port == Fabric.NONE ? 0 : now.fabric().portNum(port);
        return node == Fabric.NONE || portNum > then.fabric().numPorts(node)
                ? Fabric.NONE
                : then.fabric().port(node, portNum);
    }

    /** {@inheritDoc} An end port without a cable is served if it had none. */
    @Override
    public boolean hasEndport(int endport) {
        int before = counterpart(now, then, endport);
        return before != Fabric.NONE
                && then.lmc(before) == now.lmc(endport)
                && then.fabric().peer(before) == before(now.fabric().peer(endport));
    }

    /**
     * Returns the same end port in the fabric that was routed, by LID and GUID, of a switch by that of the node;
     * {@link Fabric#NONE} if it was not there.
     */
    static int counterpart(Subnet subnet, Subnet routed, int port) {
        Fabric currentFabric = subnet.fabric();
        Fabric previousFabric = routed.fabric();
        if (currentFabric.isSwitch(currentFabric.nodeOf(port))) {
            int node = previousFabric.nodeByGuid(currentFabric.nodeGuid(currentFabric.nodeOf(port)));
            return node != Fabric.NONE && previousFabric.isSwitch(node) ? previousFabric.port(node, 0) : Fabric.NONE;
        }
        int lid = subnet.lid(port);
        int known = lid == 0 ? Fabric.NONE : routed.portOfLid(lid);
        boolean isSame = known != Fabric.NONE
                && routed.lid(known) == lid
                && previousFabric.portGuid(known) == currentFabric.portGuid(port);
        return isSame ? known : Fabric.NONE;
    }
}
