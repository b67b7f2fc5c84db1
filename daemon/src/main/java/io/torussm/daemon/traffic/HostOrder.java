package io.torussm.daemon.traffic;

import io.torussm.dataplane.Hosts;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.tree.FabricTree;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The order of hosts in traffic patterns. In a tree, hosts are ordered by the group (pod) of their leaf, then by the
 * number of the leaf, then by the port of the leaf. Groups are ordered by their first leaf. Hosts at higher switches
 * are last. In other fabrics hosts are ordered by node GUID. The order stays the same if cables and switches are lost.
 * Immutable.
 */
public final class HostOrder {
    /** PortGUIDs of the hosts' ports, in order. */
    private final long[] guids;

    private final boolean isTree;

    private HostOrder(Fabric fabric, IntStream ports, boolean isTree) {
        guids = ports.mapToLong(fabric::portGuid).toArray();
        this.isTree = isTree;
    }

    /** Returns the order of the hosts of a fabric. */
    public static HostOrder of(Fabric fabric) {
        FabricTree tree = FabricTree.of(fabric);
        Set<Integer> ports = new LinkedHashSet<>();
        for (int level = 0; level < tree.levels(); level++) {
            for (int sw : row(tree, level)) {
                IntStream.rangeClosed(1, fabric.numPorts(sw))
                        .map(portNum -> fabric.peer(fabric.port(sw, portNum)))
                        .filter(port -> port != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(port)))
                        .forEach(ports::add);
            }
        }
        IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .forEach(ports::add);
        return new HostOrder(fabric, ports.stream().mapToInt(port -> port), tree.isTree());
    }

    /** Returns the switches of a level, with the switches of a group side by side. */
    private static int[] row(FabricTree tree, int level) {
        int[] byNumber = tree.switchesAt(level);
        Map<Integer, Integer> first = new HashMap<>();
        for (int sw : byNumber) {
            first.putIfAbsent(tree.group(sw), tree.number(sw));
        }
        return IntStream.of(byNumber)
                .boxed()
                .sorted(Comparator.comparing((Integer sw) -> first.get(tree.group(sw))))
                .mapToInt(sw -> sw)
                .toArray();
    }

    /** Checks whether hosts are in the order of the leaves of a tree. */
    boolean isTree() {
        return isTree;
    }

    /** Returns the hosts of this order that a subnet still contains, in this order. */
    Hosts of(Subnet subnet) {
        Map<Long, Integer> ports = new HashMap<>();
        Fabric fabric = subnet.fabric();
        IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .forEach(port -> ports.put(fabric.portGuid(port), port));
        return new Hosts(subnet, LongStream.of(guids).filter(ports::containsKey).mapToInt(ports::get));
    }
}
