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
    private final FabricBuilder seen = new FabricBuilder();
    private final Queue<Reached> waiting = new ArrayDeque<>();

    /** A node whose cables have not been followed yet, and the port through which it was found. */
    private record Reached(Node node, int portNum, DrPath path) {}

    private TopologyFabric() {}

    /**
     * Returns the fabric around a node, with every device in its state after a reset.
     *
     * @param start node of the SM
     * @param portNum port number of the SM; 0 for a switch
     */
    static Fabric around(Node start, int portNum) {
        TopologyFabric fabric = new TopologyFabric();
        fabric.meet(start, portNum, DrPath.LOCAL);
        fabric.follow(start, portNum, DrPath.LOCAL);
        for (Reached next = fabric.waiting.poll(); next != null; next = fabric.waiting.poll()) {
            fabric.follow(next.node(), next.portNum(), next.path());
        }
        return fabric.seen.build();
    }

    /**
     * Follows the cables of a node. Of a CA only the port that was reached is followed, since packets do not pass
     * through a CA.
     */
    private void follow(Node node, int portNum, DrPath path) {
        int first = node.isSwitch() ? 1 : portNum;
        int last = node.isSwitch() ? node.numPorts() : portNum;
        for (int out = first; out <= last && path.hops() < DrPath.MAX_HOPS; out++) {
            PortRef far = node.peer(out);
            if (far != null) {
                meet(far.node(), far.portNum(), path.then(out));
                seen.link(node.nodeGuid(), out, far.node().nodeGuid(), far.portNum());
            }
        }
    }

    private void meet(Node node, int portNum, DrPath path) {
        long guid = node.nodeGuid();
        boolean isNew = !seen.knows(guid);
        NodeInfo info = node.nodeInfo(portNum);
        seen.addNode(info, path);
        if (!node.isSwitch()) {
            seen.setPortInfo(guid, portNum, node.portInfo(portNum));
        }
        if (!isNew) {
            return;
        }
        seen.describe(guid, node.description());
        SwitchInfo switchInfo = node.switchInfo();
        if (switchInfo != null) {
            describeSwitch(node, switchInfo);
            waiting.add(new Reached(node, portNum, path));
        }
    }

    private void describeSwitch(Node node, SwitchInfo info) {
        seen.setSwitchInfo(node.nodeGuid(), info);
        for (int portNum = 0; portNum <= node.numPorts(); portNum++) {
            seen.setPortInfo(node.nodeGuid(), portNum, node.portInfo(portNum));
        }
    }
}
