package io.torussm.fabric;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.names.Names;
import io.torussm.names.SiteMap;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The immutable result of discovery. The package defines its indexes. {@link FabricBuilder} creates it. */
public final class Fabric {
    /** The index of no port and no node, such as the peer of a port without a link. */
    public static final int NONE = -1;

    private final int switchCount;
    private final Node[] nodes;
    private final long[] nodeGuids;
    private final int[] firstPort;
    private final int[] nodeOfPort;
    private final int[] peer;
    private final @Nullable PortInfo[] portInfos;
    private final long[] portGuids;
    private final int localPort;
    private final List<DeviceText> anomalies;
    private final Names names;

    /**
     * The data of a node.
     *
     * @param info NodeInfo as reported by the known port with the lowest number
     * @param description NodeDescription as text; for display see {@link Fabric#nodeName}
     * @param switchInfo null unless the node is a switch
     * @param path directed route from the local port
     */
    public record Node(
            NodeInfo info, String description, @Nullable SwitchInfo switchInfo, DrPath path) {}

    Fabric(
            int switchCount,
            Node[] nodes,
            int[] firstPort,
            int[] peer,
            @Nullable PortInfo[] portInfos,
            long[] portGuids,
            int localPort,
            List<DeviceText> anomalies,
            Names names) {
        this.switchCount = switchCount;
        this.nodes = nodes;
        this.firstPort = firstPort;
        this.peer = peer;
        this.portInfos = portInfos;
        this.portGuids = portGuids;
        this.localPort = localPort;
        this.anomalies = List.copyOf(anomalies);
        this.names = names;
        this.nodeGuids =
                Arrays.stream(nodes).mapToLong(node -> node.info().nodeGuid()).toArray();
        this.nodeOfPort = new int[peer.length];
        for (int node = 0; node < nodes.length; node++) {
            Arrays.fill(nodeOfPort, firstPort[node], firstPort[node + 1], node);
        }
    }

    /** Creates a copy with other data of the same nodes and ports. */
    private Fabric(Fabric like, Node[] nodes, int[] peer, @Nullable PortInfo[] portInfos, Names names) {
        this.switchCount = like.switchCount;
        this.nodes = nodes;
        this.nodeGuids = like.nodeGuids;
        this.firstPort = like.firstPort;
        this.nodeOfPort = like.nodeOfPort;
        this.peer = peer;
        this.portInfos = portInfos;
        this.portGuids = like.portGuids;
        this.localPort = like.localPort;
        this.anomalies = like.anomalies;
        this.names = names;
    }

    /** Returns a copy with other PortInfos, by port index. */
    public Fabric with(@Nullable PortInfo[] newer) {
        return new Fabric(this, nodes, peer, newer.clone(), names);
    }

    /** Returns a copy with another PortInfo of one port. */
    public Fabric with(int port, PortInfo newer) {
        @Nullable PortInfo[] changed = portInfos.clone();
        changed[port] = newer;
        return new Fabric(this, nodes, peer, changed, names);
    }

    /** Returns a copy with other data of a node; its GUID, type and number of ports must be the same. */
    public Fabric with(int node, Node newer) {
        Node[] changed = nodes.clone();
        changed[node] = newer;
        return new Fabric(this, changed, peer, portInfos, names);
    }

    /** Returns a copy with other SwitchInfos, by switch; null keeps the present SwitchInfo. */
    public Fabric with(@Nullable SwitchInfo[] newer) {
        Node[] changed = nodes.clone();
        for (int sw = 0; sw < switchCount; sw++) {
            SwitchInfo info = newer[sw];
            if (info != null) {
                changed[sw] = new Node(nodes[sw].info(), nodes[sw].description(), info, nodes[sw].path());
            }
        }
        return new Fabric(this, changed, peer, portInfos, names);
    }

    /** Returns a copy with other names. */
    public Fabric with(Names newer) {
        return new Fabric(this, nodes, peer, portInfos, newer);
    }

    /**
     * Returns a copy without some cables. Directed routes may still use these cables, and disconnected nodes stay.
     *
     * @param ports port indexes, one for each cable
     */
    public Fabric without(int... ports) {
        int[] peers = peer.clone();
        for (int port : ports) {
            if (peers[port] != NONE) {
                peers[peers[port]] = NONE;
                peers[port] = NONE;
            }
        }
        return new Fabric(this, nodes, peers, portInfos, names);
    }

    /** Returns a copy that shares equal node and PortInfo objects with another fabric, to save memory. */
    public Fabric sharing(Fabric other) {
        Node[] shared = nodes.clone();
        @Nullable PortInfo[] sharedInfos = portInfos.clone();
        for (int node = 0; node < nodes.length; node++) {
            int otherNode = other.nodeByGuid(nodeGuids[node]);
            if (otherNode != NONE) {
                shared[node] = nodes[node].equals(other.nodes[otherNode]) ? other.nodes[otherNode] : nodes[node];
                for (int portNum = Math.min(numPorts(node), other.numPorts(otherNode)); portNum >= 0; portNum--) {
                    int port = port(node, portNum);
                    PortInfo otherInfo = other.portInfos[other.port(otherNode, portNum)];
                    sharedInfos[port] = Objects.equals(portInfos[port], otherInfo) ? otherInfo : portInfos[port];
                }
            }
        }
        return new Fabric(this, shared, peer, sharedInfos, names);
    }

    /** Returns the number of switches. The node indexes of switches are 0 to this number - 1. */
    public int switchCount() {
        return switchCount;
    }

    /** Returns the number of nodes. */
    public int nodeCount() {
        return nodes.length;
    }

    /** Returns the number of port slots, including port 0 of every node. */
    public int portCount() {
        return peer.length;
    }

    /** Checks whether a switch has a multicast forwarding table; true if its SwitchInfo is unknown. */
    public boolean hasMulticast(int sw) {
        SwitchInfo info = nodes[sw].switchInfo();
        return info == null || info.multicastFdbCap() > 0;
    }

    /** Checks whether port 0 of a switch is an enhanced port 0; false if unknown, and for other nodes. */
    public boolean hasEnhancedPort0(int node) {
        SwitchInfo info = nodes[node].switchInfo();
        return info != null && info.enhancedPort0();
    }

    /** Returns the data of a node. */
    public Node node(int node) {
        return nodes[node];
    }

    public boolean isSwitch(int node) {
        return node < switchCount;
    }

    public long nodeGuid(int node) {
        return nodeGuids[node];
    }

    /** Returns the highest port number of a node. */
    public int numPorts(int node) {
        return firstPort[node + 1] - firstPort[node] - 1;
    }

    /** Returns the port index of a port number, 0 to {@code numPorts(node)}. */
    public int port(int node, int portNum) {
        return firstPort[node] + portNum;
    }

    public int nodeOf(int port) {
        return nodeOfPort[port];
    }

    public int portNum(int port) {
        return port - firstPort[nodeOfPort[port]];
    }

    /** Returns the identity of a port, which is valid in all fabrics. */
    public NodePort nodePort(int port) {
        return new NodePort(nodeGuid(nodeOf(port)), portNum(port));
    }

    /** Returns the index of a port; {@link #NONE} if the node or port does not exist. */
    public int port(NodePort port) {
        int node = nodeByGuid(port.nodeGuid());
        boolean isThere = node != NONE && port.portNum() >= 0 && port.portNum() <= numPorts(node);
        return isThere ? port(node, port.portNum()) : NONE;
    }

    /**
     * Returns the node at the end of a directed route; {@link #NONE} if a cable is absent or a hop is through a
     * host.
     */
    public int nodeAt(DrPath path) {
        int node = nodeOf(localPort);
        for (int hop = 0; hop < path.hops(); hop++) {
            boolean isPort = path.port(hop) <= numPorts(node) && (hop == 0 || isSwitch(node));
            int far = isPort ? peer(port(node, path.port(hop))) : NONE;
            if (far == NONE) {
                return NONE;
            }
            node = nodeOf(far);
        }
        return node;
    }

    /** Returns the port index at the other end of the cable; {@link #NONE} if the link is down or absent. */
    public int peer(int port) {
        return peer[port];
    }

    /** Returns the switch at the other end of the cable; {@link #NONE} if there is no cable, or it leads to a host. */
    public int switchBehind(int port) {
        int far = peer[port];
        return far != NONE && isSwitch(nodeOf(far)) ? nodeOf(far) : NONE;
    }

    /** Returns the end port with a port GUID; {@link #NONE} without such a port. Takes a pass over all ports. */
    public int endport(long portGuid) {
        for (int port = 0; port < portCount(); port++) {
            if (portGuids[port] == portGuid && isEndport(port)) {
                return port;
            }
        }
        return NONE;
    }

    /**
     * Returns the PortInfo of a port; null for ports that were not read, such as the far port of an HCA on
     * another subnet.
     */
    public @Nullable PortInfo portInfo(int port) {
        return portInfos[port];
    }

    /**
     * Returns the PortInfo with the capabilities of a port: for a switch that of port 0, otherwise that of the port;
     * null if unknown.
     */
    public @Nullable PortInfo capabilityPortInfo(int port) {
        int node = nodeOfPort[port];
        return portInfos[isSwitch(node) ? firstPort[node] : port];
    }

    /**
     * Returns the AttributeModifier of every Get and Set of PortInfo of a port. Port 0 of a switch has no
     * link unless it is enhanced.
     */
    public int portInfoModifier(int port) {
        boolean isBasePort0 = portNum(port) == 0 && !hasEnhancedPort0(nodeOfPort[port]);
        return isBasePort0 ? 0 : PortInfo.modifier(portNum(port), capabilityPortInfo(port));
    }

    /** Returns the GUID of an end port (CA or router port, or port 0 of a switch); 0 if unknown. */
    public long portGuid(int port) {
        return portGuids[port];
    }

    /**
     * Checks whether a port index is an end port that can have a LID: switch port 0, or a discovered CA or
     * router port.
     */
    public boolean isEndport(int port) {
        return isSwitch(nodeOf(port)) ? portNum(port) == 0 : portInfos[port] != null;
    }

    /**
     * Returns the switch to which an end port is attached, or of which it is port 0; {@link #NONE} without a switch.
     */
    public int switchOf(int endport) {
        int node = nodeOf(endport);
        if (isSwitch(node)) {
            return node;
        }
        int far = peer(endport);
        return far != NONE && isSwitch(nodeOf(far)) ? nodeOf(far) : NONE;
    }

    /** Returns the port index of the SM. */
    public int localPort() {
        return localPort;
    }

    /** Returns the switch to which the SM is attached, or on which it runs; {@link #NONE} without a switch. */
    public int localSwitch() {
        return switchOf(localPort);
    }

    /** Returns the anomalies of discovery for operators: duplicate GUIDs, silent devices, loopback plugs. */
    public List<DeviceText> anomalies() {
        return anomalies;
    }

    /**
     * Returns the directed route from the local port to a port. SMPs to a CA or router arrive through that port,
     * since their writes affect only it (IBA 14.2.5.6, 14.2.5.7). For ports of switches, returns the route to the
     * switch.
     */
    public DrPath pathTo(int port) {
        int node = nodeOf(port);
        int far = peer(port);
        if (!isSwitch(node) && far != NONE && far == localPort) {
            return DrPath.LOCAL.withHop(
                    portNum(far)); // two hosts on one cable, or a loop cable at the adapter of the SM
        } else if (isSwitch(node) || port == localPort || far == NONE || !isSwitch(nodeOf(far))) {
            return nodes[node].path();
        }
        DrPath toSwitch = nodes[nodeOf(far)].path();
        return toSwitch.hops() < DrPath.MAX_HOPS ? toSwitch.withHop(portNum(far)) : nodes[node].path();
    }

    /**
     * Returns the node with a NodeGUID; {@link #NONE} without one. A binary search over switches, then over other
     * nodes.
     */
    public int nodeByGuid(long nodeGuid) {
        int low = 0;
        int high = switchCount - 1;
        for (int half = 0; half < 2; half++) {
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int order = Long.compareUnsigned(nodeGuid(middle), nodeGuid);
                if (order == 0) {
                    return middle;
                } else if (order < 0) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            low = switchCount;
            high = nodes.length - 1;
        }
        return NONE;
    }

    /** Returns the operator's names and locations of nodes. */
    public Names names() {
        return names;
    }

    /** Returns the displayed name of a node: the operator's name, else its NodeDescription. */
    public String nodeName(int node) {
        return names.of(nodeGuid(node), nodes[node].description());
    }

    /** Returns the label of the cable at a port, which may be configured for either end; empty if unknown. */
    public String cableLabel(int port) {
        String label = names.sites().label(nodeGuid(nodeOf(port)), portNum(port));
        int far = peer(port);
        return label.isEmpty() && far != NONE ? names.sites().label(nodeGuid(nodeOf(far)), portNum(far)) : label;
    }

    /** Returns the text for a node in logs: GUID and name. */
    public String name(int node) {
        return Guid.format(nodeGuid(node)) + " \"" + nodeName(node) + "\"";
    }

    /** Returns a node for events. */
    public DeviceText device(int node) {
        return device(node, "");
    }

    /**
     * Returns a node for events.
     *
     * @param place coordinates of the node in a torus; empty if the node has no coordinates
     */
    public DeviceText device(int node, String place) {
        return located(DeviceText.ofDevice(name(node), EventField.GUID.of(nodeGuid(node))), node, place);
    }

    /** Returns a port for events. */
    public DeviceText devicePort(int port) {
        return devicePort(port, "");
    }

    /**
     * Returns a port for events.
     *
     * @param place coordinates of the port's node in a torus; empty if the node has no coordinates
     */
    public DeviceText devicePort(int port, String place) {
        int node = nodeOf(port);
        DeviceText device = DeviceText.ofDevice(
                portName(port), EventField.GUID.of(nodeGuid(node)), EventField.PORT.of(portNum(port)));
        String label = cableLabel(port);
        return located(label.isEmpty() ? device : device.with(EventField.CABLE.of(label)), node, place);
    }

    private DeviceText located(DeviceText device, int node, String place) {
        SiteMap.Site site = names.sites().site(nodeGuid(node), place);
        DeviceText placed = place.isEmpty() ? device : device.with(EventField.COORDINATES.of(place));
        return site.isUnknown() ? placed : placed.with(EventField.SITE.of(site));
    }

    /** Returns the text for a port in logs: node GUID, name and port number. */
    public String portName(int port) {
        return name(nodeOf(port)) + " port " + portNum(port);
    }
}
