package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.LidAssigner;
import io.torussm.subnet.Subnet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Nodes and cables to make a {@link Fabric} and a {@link Subnet} of, without any wire. */
final class TestFabric {
    private final Map<Long, Node> nodes = new TreeMap<>();
    private final Map<End, End> cables = new TreeMap<>();
    private final Map<End, Integer> vlCaps = new TreeMap<>();

    record Node(int type, long guid, int ports, String name) {}

    record End(long guid, int port) implements Comparable<End> {
        @Override
        public int compareTo(End other) {
            return guid != other.guid ? Long.compare(guid, other.guid) : Integer.compare(port, other.port);
        }
    }

    void addSwitch(long guid, int ports, String name) {
        nodes.put(guid, new Node(NodeInfo.SWITCH, guid, ports, name));
    }

    void addCa(long guid, int ports, String name) {
        nodes.put(guid, new Node(NodeInfo.CHANNEL_ADAPTER, guid, ports, name));
    }

    void addRouter(long guid, int ports, String name) {
        nodes.put(guid, new Node(NodeInfo.ROUTER, guid, ports, name));
    }

    void cable(long guidA, int portA, long guidB, int portB) {
        cables.put(new End(guidA, portA), new End(guidB, portB));
        cables.put(new End(guidB, portB), new End(guidA, portA));
    }

    /** Removes all cables between two nodes. */
    void removeCables(long guidA, long guidB) {
        cables.entrySet()
                .removeIf(cable -> cable.getKey().guid == guidA && cable.getValue().guid == guidB
                        || cable.getKey().guid == guidB && cable.getValue().guid == guidA);
    }

    /** Removes one cable. */
    void unplug(long guid, int port) {
        End far = cables.remove(new End(guid, port));
        if (far != null) {
            cables.remove(far);
        }
    }

    /** Removes a node and its cables; end ports that then have none vanish, too. */
    void remove(long guid) {
        Set<Long> orphans = new HashSet<>();
        cables.entrySet().removeIf(cable -> {
            boolean hit = cable.getKey().guid == guid || cable.getValue().guid == guid;
            if (hit && !isSwitch(cable.getKey().guid)) {
                orphans.add(cable.getKey().guid);
            }
            return hit;
        });
        nodes.remove(guid);
        orphans.forEach(nodes::remove);
    }

    private boolean isSwitch(long guid) {
        Node node = nodes.get(guid);
        return node != null && node.type == NodeInfo.SWITCH;
    }

    /** Sets the VLCap code of a port; others have 4, that is 8 data VLs. */
    void setVlCap(long guid, int port, int code) {
        vlCaps.put(new End(guid, port), code);
    }

    Fabric fabric() {
        FabricBuilder builder = new FabricBuilder();
        for (Node node : nodes.values()) {
            for (int port = 1; port <= node.ports; port++) {
                if (node.type == NodeInfo.SWITCH && port > 1
                        || node.type != NodeInfo.SWITCH && !cables.containsKey(new End(node.guid, port))) {
                    continue;
                }
                builder.addNode(
                        NodeInfo.TYPE
                                .zero()
                                .with(NodeInfo.NODE_TYPE, node.type)
                                .with(NodeInfo.NUM_PORTS, node.ports)
                                .with(NodeInfo.NODE_GUID, node.guid)
                                .with(NodeInfo.PORT_GUID, node.guid)
                                .with(NodeInfo.LOCAL_PORT_NUM, port),
                        DrPath.LOCAL);
            }
            if (builder.knows(node.guid)) {
                builder.setDescription(node.guid, node.name);
                for (int port = 0; port <= node.ports; port++) {
                    addPort(builder, node, port);
                }
            }
        }
        cables.forEach((a, b) -> builder.link(a.guid, a.port, b.guid, b.port));
        return builder.build();
    }

    private void addPort(FabricBuilder builder, Node node, int port) {
        End end = new End(node.guid, port);
        boolean isSwitch = node.type == NodeInfo.SWITCH;
        if (isSwitch || cables.containsKey(end)) {
            int state = port == 0 || cables.containsKey(end) ? PortInfo.STATE_ACTIVE : PortInfo.STATE_DOWN;
            builder.setPortInfo(
                    node.guid,
                    port,
                    PortInfo.TYPE
                            .zero()
                            .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_SL_MAPPING)
                            .with(PortInfo.PORT_STATE, state)
                            .with(PortInfo.VL_CAP, vlCaps.getOrDefault(end, 4)));
        }
    }

    /** Returns the subnet with LIDs 1, 2, ... of the end ports, in the order of the fabric. */
    Subnet subnet(int lmc) {
        return subnet(fabric(), lmc);
    }

    /**
     * Returns a fabric whose ports have their previous LIDs.
     *
     * @param lids by port GUID; LIDs of new ports are added
     */
    static Subnet subnet(Fabric fabric, Map<Long, Integer> lids) {
        Subnet subnet = LidAssigner.assign(fabric, LidAssigner.KnownLids.ofStore(lids), 0, false, 0xfe80L << 48)
                .subnet()
                .orElseThrow();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (subnet.lid(port) != 0) {
                lids.put(fabric.portGuid(port), subnet.lid(port));
            }
        }
        return subnet;
    }

    static Subnet subnet(Fabric fabric, int lmc) {
        int[] lids = new int[fabric.portCount()];
        byte[] lmcs = new byte[lids.length];
        int next = 1 << lmc;
        for (int port = 0; port < lids.length; port++) {
            if (fabric.isEndport(port)) {
                boolean isSwitch = fabric.isSwitch(fabric.nodeOf(port));
                lids[port] = next;
                lmcs[port] = (byte) (isSwitch ? 0 : lmc);
                next += 1 << lmc;
            }
        }
        return new Subnet(fabric, lids, lmcs, 0xfe80000000000000L);
    }
}
