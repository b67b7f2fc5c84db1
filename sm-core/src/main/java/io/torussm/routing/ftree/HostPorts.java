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
    private final int[] hostPorts;

    /** The ports of compute nodes, by port index. */
    private final BitSet computeNodes = new BitSet();
    /** The ports of I/O nodes, by port index. */
    private final BitSet ioNodes = new BitSet();

    private final int hostCount;

    /**
     * Collects the ports of a subnet. Without a file all ports of channel adapters are compute nodes; ports
     * of routers never are.
     *
     * @param computeFile port GUIDs of compute nodes
     * @param inputFile port GUIDs of I/O nodes
     */
    HostPorts(Subnet subnet, GuidFile computeFile, GuidFile inputFile) {
        Fabric fabric = subnet.fabric();
        hostPorts = IntStream.range(0, fabric.portCount())
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port))
                .filter(port -> subnet.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE)
                .boxed()
                .sorted(Comparator.<Integer, Long>comparing(
                        port -> Long.reverseBytes(fabric.nodeGuid(fabric.nodeOf(port))), Long::compareUnsigned))
                .mapToInt(port -> port)
                .toArray();
        hostCount =
                (int) Arrays.stream(hostPorts).map(fabric::nodeOf).distinct().count();
        Set<Long> computing = guids(computeFile.lines());
        Set<Long> serving = guids(inputFile.lines());
        for (int port : hostPorts) {
            boolean isRouter = fabric.node(fabric.nodeOf(port)).info().nodeType() == NodeInfo.ROUTER;
            boolean isListed = computing.isEmpty() || computing.contains(fabric.portGuid(port));
            computeNodes.set(port, isListed && !isRouter);
            ioNodes.set(port, !computeNodes.get(port) && serving.contains(fabric.portGuid(port)));
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
    int[] hostPorts() {
        return hostPorts;
    }

    /** Returns the number of hosts with at least one such port. */
    int hostCount() {
        return hostCount;
    }

    /** Checks whether a port belongs to a compute node. */
    boolean isComputeNode(int port) {
        return computeNodes.get(port);
    }

    /** Checks whether a port belongs to an I/O node, to which {@code max_reverse_hops} applies. */
    boolean isIoNode(int port) {
        return ioNodes.get(port);
    }
}
