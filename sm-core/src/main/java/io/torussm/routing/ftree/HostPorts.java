package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.routing.balance.GuidFile;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The ports of hosts that are attached to switches, and the compute nodes among them. Immutable. */
final class HostPorts {
    /** Port indexes in the order of OpenSM: by node GUID with its bytes reversed (unsigned), then by port. */
    private final int[] all;

    /** The ports of compute nodes, by port index. */
    private final BitSet compute = new BitSet();
    /** The ports of I/O nodes, by port index. */
    private final BitSet input = new BitSet();

    private final int nodes;

    /**
     * Collects the ports of a subnet. Without a file all ports of channel adapters are compute nodes; ports
     * of routers never are.
     *
     * @param computeFile port GUIDs of compute nodes
     * @param inputFile port GUIDs of I/O nodes
     */
    HostPorts(Subnet subnet, GuidFile computeFile, GuidFile inputFile) {
        Fabric fabric = subnet.fabric();
        all = IntStream.range(0, fabric.portCount())
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port))
                .filter(port -> subnet.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE)
                .boxed()
                .sorted(Comparator.<Integer, Long>comparing(
                        port -> Long.reverseBytes(fabric.nodeGuid(fabric.nodeOf(port))), Long::compareUnsigned))
                .mapToInt(port -> port)
                .toArray();
        nodes = (int) Arrays.stream(all).map(fabric::nodeOf).distinct().count();
        Set<Long> computing = guids(computeFile.lines());
        Set<Long> serving = guids(inputFile.lines());
        for (int port : all) {
            boolean isRouter = fabric.node(fabric.nodeOf(port)).info().nodeType() == NodeInfo.ROUTER;
            boolean isListed = computing.isEmpty() || computing.contains(fabric.portGuid(port));
            compute.set(port, isListed && !isRouter);
            input.set(port, !compute.get(port) && serving.contains(fabric.portGuid(port)));
        }
    }

    private static Set<Long> guids(List<GuidFile.Line> lines) {
        return lines.stream().map(GuidFile.Line::guid).collect(Collectors.toSet());
    }

    /** Returns the LIDs of a port, from its base LID on. */
    static IntStream lids(Subnet subnet, int port) {
        int base = subnet.lid(port);
        return IntStream.range(base, base + (1 << subnet.lmc(port)));
    }

    /** Returns the indexes of all ports of hosts. Must not be written. */
    int[] all() {
        return all;
    }

    /** Returns the number of hosts with at least one such port. */
    int nodes() {
        return nodes;
    }

    /** Checks whether a port belongs to a compute node. */
    boolean computes(int port) {
        return compute.get(port);
    }

    /** Checks whether a port belongs to an I/O node, to which {@code max_reverse_hops} applies. */
    boolean serves(int port) {
        return input.get(port);
    }
}
