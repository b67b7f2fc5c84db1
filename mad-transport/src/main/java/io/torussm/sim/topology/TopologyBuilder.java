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

/** A collector of nodes and cables that rejects duplicate names and GUIDs, invalid ports and shared sockets. */
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
     * @param guid GUID of node and port 0; no other node may have it
     * @param numPorts 1 to 254
     * @return the switch, called {@code S-} and its GUID
     * @throws IllegalArgumentException if it cannot be; the message states the fault and its remedy
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
     * @param guid GUID of the node; port p has this GUID + p
     * @param numPorts 1 to 254
     * @return the adapter, called {@code H-} and its GUID
     * @throws IllegalArgumentException if it cannot be; the message states the fault and its remedy
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
     * @param portGuids PortGUIDs: for a switch the GUID of port 0 at every index, else GUIDs from index 1
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

    /** Returns the node of a quoted name, or null. */
    public @Nullable Node find(String id) {
        return byId.get(id);
    }

    /**
     * Plugs in both ends of a cable of 4xQDR.
     *
     * @throws IllegalArgumentException if a port does not exist or is taken
     */
    public void connect(Node a, int portOfA, Node b, int portOfB) {
        connect(a, portOfA, b, portOfB, LinkRate.DEFAULT);
    }

    /**
     * Plugs in both ends of a cable.
     *
     * @throws IllegalArgumentException if a port does not exist or is taken
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
        PortRef taken = node.peer(portNum);
        if (taken != null) {
            throw new IllegalArgumentException(
                    new PortRef(node, portNum) + " is plugged in already, to " + taken + "; remove one cable");
        }
    }

    /** Returns all nodes in the order in which they were added. */
    public Topology build() {
        return new Topology(nodes);
    }

    /** Returns the port GUIDs of a switch: every port shows that of port 0. */
    public static long[] switchPortGuids(int numPorts, long guid) {
        long[] guids = new long[numPorts + 1];
        Arrays.fill(guids, guid);
        return guids;
    }
}
