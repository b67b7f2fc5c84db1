package io.torussm.sim.topology;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.sim.topology.Topology.Node;
import io.torussm.sim.topology.Topology.PortRef;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A builder of topologies. It rejects duplicate names and GUIDs, invalid ports and ports with two cables. */
public final class TopologyBuilder {
    private static final int MAX_DESCRIPTION_BYTES = 64;
    private static final int VENDOR = 0x2c9;
    private static final int SWITCH_DEVICE = 0xbd36;
    private static final int ADAPTER_DEVICE = 0x6282;

    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Node> byId = new HashMap<>();
    private final Map<Long, Node> byNodeGuid = new HashMap<>();
    private final Map<Long, Node> byPortGuid = new HashMap<>();

    /**
     * Adds a switch with an enhanced port 0.
     *
     * @param description NodeDescription
     * @param guid GUID of the node and of port 0; unique in the topology
     * @param numPorts number of ports, 1 to 254
     * @return switch with the id {@code S-} and its GUID
     * @throws IllegalArgumentException if a value is invalid; the message contains cause and remedy
     */
    public Node addSwitch(String description, long guid, int numPorts) {
        String id = "S-" + HexFormat.of().toHexDigits(guid);
        Topology.Identity identity =
                new Topology.Identity(id, description, NodeInfo.SWITCH, guid, guid, VENDOR, SWITCH_DEVICE, true);
        return add(identity, switchPortGuids(numPorts, guid));
    }

    /**
     * Adds a channel adapter.
     *
     * @param description NodeDescription
     * @param guid GUID of the node; port p has this GUID + p
     * @param numPorts number of ports, 1 to 254
     * @return adapter with the id {@code H-} and its GUID
     * @throws IllegalArgumentException if a value is invalid; the message contains cause and remedy
     */
    public Node addHost(String description, long guid, int numPorts) {
        String id = "H-" + HexFormat.of().toHexDigits(guid);
        long[] portGuids = new long[numPorts + 1];
        for (int portNum = 1; portNum <= numPorts; portNum++) {
            portGuids[portNum] = guid + portNum;
        }
        Topology.Identity identity = new Topology.Identity(
                id, description, NodeInfo.CHANNEL_ADAPTER, guid, guid + 3, VENDOR, ADAPTER_DEVICE, false);
        return add(identity, portGuids);
    }

    /**
     * Adds a node.
     *
     * @param portGuids PortGUIDs by port number: for a switch the GUID of port 0 at every index, otherwise from index 1
     * @throws IllegalArgumentException if the node is invalid; the message contains cause and remedy
     */
    public Node add(Topology.Identity identity, long[] portGuids) {
        int numPorts = portGuids.length - 1;
        if (numPorts < 1 || numPorts > NodeInfo.MAX_PORT_NUM) {
            throw new IllegalArgumentException("a node has 1 to " + NodeInfo.MAX_PORT_NUM + " ports, not " + numPorts);
        }
        if (identity.description().getBytes(StandardCharsets.UTF_8).length > MAX_DESCRIPTION_BYTES) {
            throw new IllegalArgumentException(
                    "the description has more than 64 bytes; shorten it: " + identity.description());
        }
        Node node = new Node(nodes.size(), identity, portGuids);
        if (byId.putIfAbsent(identity.id(), node) != null) {
            throw new IllegalArgumentException(
                    "a second node called \"" + identity.id() + "\"; give each node its own name");
        }
        claimGuid(byNodeGuid, identity.nodeGuid(), node, "node");
        // All ports of a switch have one GUID, which is claimed once.
        int first = identity.type() == NodeInfo.SWITCH ? numPorts : 1;
        for (int portNum = first; portNum <= numPorts; portNum++) {
            claimGuid(byPortGuid, portGuids[portNum], node, "port");
        }
        nodes.add(node);
        return node;
    }

    private static void claimGuid(Map<Long, Node> owners, long guid, Node node, String noun) {
        if (guid == 0) {
            throw new IllegalArgumentException(noun + " GUID 0 of " + node + "; GUIDs are not 0");
        }
        Node owner = owners.putIfAbsent(guid, node);
        if (owner != null) {
            throw new IllegalArgumentException(noun + " GUID " + Guid.format(guid) + " of " + node + " is taken by "
                    + owner + "; give one of them another GUID");
        }
    }

    /** Returns the node with an id; null if no node has it. */
    public @Nullable Node find(String id) {
        return byId.get(id);
    }

    /**
     * Connects two ports by a cable of 4xQDR.
     *
     * @throws IllegalArgumentException if a port does not exist or has a cable
     */
    public void connect(Node a, int portOfA, Node b, int portOfB) {
        connect(a, portOfA, b, portOfB, LinkRate.DEFAULT);
    }

    /**
     * Connects two ports by a cable.
     *
     * @throws IllegalArgumentException if a port does not exist or has a cable
     */
    public void connect(Node a, int portOfA, Node b, int portOfB, LinkRate rate) {
        checkFree(a, portOfA);
        checkFree(b, portOfB);
        if (a.equals(b) && portOfA == portOfB) {
            throw new IllegalArgumentException("a cable from " + new PortRef(a, portOfA) + " to itself");
        }
        a.connect(portOfA, new PortRef(b, portOfB), rate);
        b.connect(portOfB, new PortRef(a, portOfA), rate);
    }

    private static void checkFree(Node node, int portNum) {
        if (portNum < 1 || portNum > node.numPorts()) {
            throw new IllegalArgumentException(
                    node + " has ports 1 to " + node.numPorts() + ", there is no port " + portNum);
        }
        PortRef peer = node.peer(portNum);
        if (peer != null) {
            throw new IllegalArgumentException(
                    new PortRef(node, portNum) + " is plugged in already, to " + peer + "; remove one cable");
        }
    }

    /** Returns the topology, with nodes in the order of their addition. */
    public Topology build() {
        return new Topology(nodes);
    }

    /** Returns the PortGUIDs of a switch by port number: the GUID of port 0 at every index. */
    public static long[] switchPortGuids(int numPorts, long guid) {
        long[] guids = new long[numPorts + 1];
        Arrays.fill(guids, guid);
        return guids;
    }
}
