package io.torussm.daemon.planning;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.topology.Topology.Node;
import io.torussm.sim.topology.Topology.PortRef;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * A search of a topology from one port. It yields the fabric that discovery would find there, without any SMP: all
 * devices that are connected to the port.
 */
final class TopologyFabric {
    private final FabricBuilder builder = new FabricBuilder();
    private final Queue<ReachedNode> queue = new ArrayDeque<>();

    /** A node whose cables have not been followed yet, and the port through which it was found. */
    private record ReachedNode(Node node, int portNum, DrPath path) {}

    private TopologyFabric() {}

    /**
     * Returns the fabric around a node, with every device in its state after a reset.
     *
     * @param start node of the SM
     * @param portNum port number of the SM; 0 for a switch
     */
    static Fabric reachableFrom(Node start, int portNum) {
        TopologyFabric fabric = new TopologyFabric();
        fabric.addNode(start, portNum, DrPath.LOCAL);
        fabric.followCables(start, portNum, DrPath.LOCAL);
        for (ReachedNode next = fabric.queue.poll(); next != null; next = fabric.queue.poll()) {
            fabric.followCables(next.node(), next.portNum(), next.path());
        }
        return fabric.builder.build();
    }

    /**
     * Follows the cables of a node. Of a CA only the port that was reached is followed, since packets do not pass
     * through a CA.
     */
    private void followCables(Node node, int portNum, DrPath path) {
        int first = node.isSwitch() ? 1 : portNum;
        int last = node.isSwitch() ? node.numPorts() : portNum;
        for (int out = first; out <= last && path.hops() < DrPath.MAX_HOPS; out++) {
            PortRef far = node.peer(out);
            if (far != null) {
                addNode(far.node(), far.portNum(), path.withHop(out));
                builder.link(node.nodeGuid(), out, far.node().nodeGuid(), far.portNum());
            }
        }
    }

    private void addNode(Node node, int portNum, DrPath path) {
        long guid = node.nodeGuid();
        boolean isNew = !builder.knows(guid);
        NodeInfo info = node.nodeInfo(portNum);
        builder.addNode(info, path);
        if (!node.isSwitch()) {
            builder.setPortInfo(guid, portNum, node.portInfo(portNum));
        }
        if (!isNew) {
            return;
        }
        builder.setDescription(guid, node.description());
        SwitchInfo switchInfo = node.switchInfo();
        if (switchInfo != null) {
            describeSwitch(node, switchInfo);
            queue.add(new ReachedNode(node, portNum, path));
        }
    }

    private void describeSwitch(Node node, SwitchInfo info) {
        builder.setSwitchInfo(node.nodeGuid(), info);
        for (int portNum = 0; portNum <= node.numPorts(); portNum++) {
            builder.setPortInfo(node.nodeGuid(), portNum, node.portInfo(portNum));
        }
    }
}
