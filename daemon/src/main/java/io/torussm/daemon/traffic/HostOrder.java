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
 * The order of hosts, in which patterns count. On a tree it is that of the leaves: groups (pods) by their
 * first leaf, in each the leaves by their numbers, on each the hosts by port of the leaf. Then come hosts of
 * higher switches. On other fabrics it is that of node GUIDs. Immutable. It stays while cables and switches
 * are lost.
 */
public final class HostOrder {
    /** GUIDs of ports. */
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
        int[] byNumber = tree.at(level);
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

    /** Checks whether it is the order of a tree's leaves. */
    boolean isTree() {
        return isTree;
    }

    /** Returns the hosts of a subnet that are left of this fabric, in this order. */
    Hosts of(Subnet subnet) {
        Map<Long, Integer> ports = new HashMap<>();
        Fabric fabric = subnet.fabric();
        IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                .forEach(port -> ports.put(fabric.portGuid(port), port));
        return new Hosts(subnet, LongStream.of(guids).filter(ports::containsKey).mapToInt(ports::get));
    }
}
