package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The comparison of the current subnet with a previous subnet that was routed. It finds the devices that the
 * tables of the previous subnet serve. Nodes are matched by GUID.
 */
final class SameSubnet implements ServedPart.Tables {
    private final Subnet previousSubnet;
    private final Subnet currentSubnet;

    /** By node of the current subnet: its index in the previous subnet; {@link Fabric#NONE} if it was absent. */
    private final int[] previousNode;

    /**
     * Creates a comparison.
     *
     * @param previousSubnet subnet that was routed
     */
    SameSubnet(Subnet previousSubnet, Subnet currentSubnet) {
        this.previousSubnet = previousSubnet;
        this.currentSubnet = currentSubnet;
        previousNode = IntStream.range(0, currentSubnet.fabric().nodeCount())
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
        SameSubnet comparison = new SameSubnet(plan.subnet(), currentSubnet);
        return comparison.isPart()
                && IntStream.range(0, currentSubnet.fabric().switchCount())
                        .allMatch(sw -> comparison.avoidsAbsentSwitches(sw, plan.lft(comparison.previousNode[sw])));
    }

    /**
     * Checks whether all current devices were present before, with the same cables, and with a multicast table if
     * and only if they had one.
     */
    private boolean isPart() {
        Fabric fabric = currentSubnet.fabric();
        if (currentSubnet.gidPrefix() != previousSubnet.gidPrefix()) {
            return false;
        }
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (!hasSwitch(sw)
                    || !hasAllCables(sw)
                    || fabric.hasMulticast(sw) != previousSubnet.fabric().hasMulticast(previousNode[sw])) {
                return false;
            }
        }
        for (int port = fabric.port(fabric.switchCount(), 0); port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !hasEndport(port)) {
                return false;
            }
        }
        return hasVPortLids();
    }

    /** Checks whether the LID of each virtual port led to the same physical port before. */
    private boolean hasVPortLids() {
        return currentSubnet.vportLids().lids().stream()
                .allMatch(vport ->
                        previousPort(currentSubnet.portOfLid(vport.lid())) == previousSubnet.portOfLid(vport.lid()));
    }

    private boolean hasAllCables(int sw) {
        Fabric fabric = currentSubnet.fabric();
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int far = switchPort(fabric, port);
            // A port without a cable to a switch is accepted if its previous peer is an absent switch.
            if (far == Fabric.NONE
                    ? isSwitchPresent(switchPort(previousSubnet.fabric(), previousPort(port)))
                    : !hasCable(port)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the port of a switch at the other end of a port's cable; {@link Fabric#NONE} if the cable leads to no
     * switch.
     */
    private static int switchPort(Fabric fabric, int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) ? far : Fabric.NONE;
    }

    /** Checks whether the switch of a port of the previous subnet is present in the current one. */
    private boolean isSwitchPresent(int port) {
        Fabric previousFabric = previousSubnet.fabric();
        return port != Fabric.NONE
                && currentSubnet.fabric().nodeByGuid(previousFabric.nodeGuid(previousFabric.nodeOf(port)))
                        != Fabric.NONE;
    }

    /**
     * Checks whether a table sends no packet for a present destination to an absent switch.
     *
     * @param lft previous table of the switch, by LID
     */
    private boolean avoidsAbsentSwitches(int sw, byte[] lft) {
        Fabric fabric = currentSubnet.fabric();
        BitSet lostPorts = new BitSet();
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int port = fabric.port(sw, portNum);
            lostPorts.set(
                    portNum,
                    switchPort(fabric, port) == Fabric.NONE
                            && switchPort(previousSubnet.fabric(), previousPort(port)) != Fabric.NONE);
        }
        return lostPorts.isEmpty()
                || IntStream.rangeClosed(1, currentSubnet.topLid())
                        .noneMatch(
                                lid -> currentSubnet.switchOfLid(lid) != Fabric.NONE && lostPorts.get(lft[lid] & 0xff));
    }

    @Override
    public boolean hasSwitch(int sw) {
        Fabric previousFabric = previousSubnet.fabric();
        Fabric fabric = currentSubnet.fabric();
        return previousNode[sw] != Fabric.NONE
                && previousFabric.isSwitch(previousNode[sw])
                && previousFabric.numPorts(previousNode[sw]) == fabric.numPorts(sw)
                && previousSubnet.lid(previousFabric.port(previousNode[sw], 0)) == currentSubnet.lid(fabric.port(sw, 0))
                && previousSubnet.lmc(previousFabric.port(previousNode[sw], 0))
                        == currentSubnet.lmc(fabric.port(sw, 0));
    }

    @Override
    public boolean hasCable(int port) {
        int oldPort = previousPort(port);
        int far = oldPort == Fabric.NONE ? Fabric.NONE : previousSubnet.fabric().peer(oldPort);
        return far != Fabric.NONE && far == previousPort(currentSubnet.fabric().peer(port));
    }

    /**
     * Returns the index in the previous fabric of a port of the current fabric; {@link Fabric#NONE} if it was
     * absent.
     */
    private int previousPort(int port) {
        int node = port == Fabric.NONE
                ? Fabric.NONE
                : previousNode[currentSubnet.fabric().nodeOf(port)];
        int portNum = port == Fabric.NONE ? 0 : currentSubnet.fabric().portNum(port);
        return node == Fabric.NONE || portNum > previousSubnet.fabric().numPorts(node)
                ? Fabric.NONE
                : previousSubnet.fabric().port(node, portNum);
    }

    /** {@inheritDoc} An end port without a cable is served if it had none. */
    @Override
    public boolean hasEndport(int endport) {
        int oldPort = counterpart(currentSubnet, previousSubnet, endport);
        return oldPort != Fabric.NONE
                && previousSubnet.lmc(oldPort) == currentSubnet.lmc(endport)
                && previousSubnet.fabric().peer(oldPort)
                        == previousPort(currentSubnet.fabric().peer(endport));
    }

    /**
     * Returns the index of an end port in the fabric that was routed. A host port is matched by LID and port GUID,
     * port 0 of a switch by node GUID.
     *
     * @param port index of the end port in the fabric of {@code subnet}
     * @return {@link Fabric#NONE} if the end port was absent
     */
    static int counterpart(Subnet subnet, Subnet routed, int port) {
        Fabric currentFabric = subnet.fabric();
        Fabric previousFabric = routed.fabric();
        if (currentFabric.isSwitch(currentFabric.nodeOf(port))) {
            int node = previousFabric.nodeByGuid(currentFabric.nodeGuid(currentFabric.nodeOf(port)));
            return node != Fabric.NONE && previousFabric.isSwitch(node) ? previousFabric.port(node, 0) : Fabric.NONE;
        }
        int lid = subnet.lid(port);
        int oldPort = lid == 0 ? Fabric.NONE : routed.portOfLid(lid);
        boolean isSame = oldPort != Fabric.NONE
                && routed.lid(oldPort) == lid
                && previousFabric.portGuid(oldPort) == currentFabric.portGuid(port);
        return isSame ? oldPort : Fabric.NONE;
    }
}
