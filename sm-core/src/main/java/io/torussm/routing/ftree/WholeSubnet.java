package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A subnet with the absent parts of a tree added. Absent switches get LIDs above the top LID of the subnet. An
 * absent leaf gets as many hosts as the leaf with the most hosts, also with LIDs above the top LID.
 */
final class WholeSubnet {
    /** The number of ports of an absent switch: the maximum of IBA. */
    private static final int MAX_PORTS = 254;

    /** The first GUID for hosts of absent leaves. Further GUIDs count down, without GUIDs of the fabric. */
    private static final long LAST_GUID = -2;

    private final Fabric fabric;
    private final WholeTree tree;
    private final FabricBuilder builder;

    private WholeSubnet(Fabric fabric, WholeTree tree) {
        this.fabric = fabric;
        this.tree = tree;
        builder = FabricBuilder.of(fabric);
    }

    /** Returns the subnet; null if a switch has no port with a number at which the tree has a cable. */
    static @Nullable Subnet of(Subnet subnet, WholeTree tree) {
        if (!tree.cables().entrySet().stream()
                .allMatch(cable ->
                        mayHave(subnet.fabric(), cable.getKey()) && mayHave(subnet.fabric(), cable.getValue()))) {
            return null;
        }
        WholeSubnet wholeSubnet = new WholeSubnet(subnet.fabric(), tree);
        wholeSubnet.unlinkOthers();
        wholeSubnet.addAbsent();
        Fabric fabric = wholeSubnet.builder.build();
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[lids.length];
        int next = subnet.topLid() + 1;
        for (int port = 0; port < lids.length; port++) {
            int node = subnet.fabric().nodeByGuid(fabric.nodeGuid(fabric.nodeOf(port)));
            if (node != Fabric.NONE) {
                int knownPort = subnet.fabric().port(node, fabric.portNum(port));
                lids[port] = subnet.lid(knownPort);
                lmcs[port] = (byte) subnet.lmc(knownPort);
            } else if (fabric.isEndport(port)) {
                lids[port] = next++;
            }
        }
        return new Subnet(fabric, lids, lmcs, subnet.gidPrefix());
    }

    /** Removes cables between switches that are no part of the tree. */
    private void unlinkOthers() {
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            boolean isLink =
                    far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(far));
            if (isLink && !isOfTree(fabric.nodePort(port), fabric.nodePort(far))) {
                builder.unlink(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
            }
        }
    }

    private boolean isOfTree(NodePort end, NodePort far) {
        return far.equals(tree.cables().get(end)) || end.equals(tree.cables().get(far));
    }

    private void addAbsent() {
        Map<Long, Set<Integer>> used = new HashMap<>();
        tree.cables().forEach((end, far) -> {
            used.computeIfAbsent(end.nodeGuid(), guid -> new HashSet<>()).add(end.portNum());
            used.computeIfAbsent(far.nodeGuid(), guid -> new HashSet<>()).add(far.portNum());
        });
        long[] absent = tree.ranks().keySet().stream()
                .filter(guid -> !builder.knows(guid))
                .mapToLong(guid -> guid)
                .sorted()
                .toArray();
        for (long guid : absent) {
            addNode(guid, NodeInfo.SWITCH, MAX_PORTS);
        }
        tree.cables().forEach((end, far) -> builder.link(end.nodeGuid(), end.portNum(), far.nodeGuid(), far.portNum()));
        int hosts = maxHosts();
        long next = LAST_GUID;
        for (long leaf : absent) {
            int[] free = IntStream.rangeClosed(1, MAX_PORTS)
                    .filter(portNum -> !used.getOrDefault(leaf, Set.of()).contains(portNum))
                    .limit(tree.ranks().getOrDefault(leaf, 0) == tree.leafRank() ? hosts : 0)
                    .toArray();
            for (int portNum : free) {
                while (builder.knows(next)) {
                    next--;
                }
                addNode(next, NodeInfo.CHANNEL_ADAPTER, 1);
                builder.setPortInfo(next, 1, PortInfo.TYPE.zero());
                builder.link(leaf, portNum, next, 1);
            }
        }
    }

    /** Checks whether a node has a port, or is absent. */
    private static boolean mayHave(Fabric fabric, NodePort port) {
        int node = fabric.nodeByGuid(port.nodeGuid());
        return node == Fabric.NONE || port.portNum() <= fabric.numPorts(node);
    }

    private void addNode(long guid, int type, int ports) {
        builder.addNode(
                NodeInfo.TYPE
                        .zero()
                        .with(NodeInfo.NODE_TYPE, type)
                        .with(NodeInfo.NUM_PORTS, ports)
                        .with(NodeInfo.NODE_GUID, guid)
                        .with(NodeInfo.PORT_GUID, guid)
                        .with(NodeInfo.LOCAL_PORT_NUM, 1),
                DrPath.LOCAL);
    }

    /** Returns the maximum number of hosts on a switch. */
    private int maxHosts() {
        int[] hosts = new int[fabric.switchCount()];
        for (int port = 0; port < fabric.portCount(); port++) {
            int sw = !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port)
                    ? fabric.switchOf(port)
                    : Fabric.NONE;
            if (sw != Fabric.NONE) {
                hosts[sw]++;
            }
        }
        return IntStream.of(hosts).max().orElse(0);
    }
}
