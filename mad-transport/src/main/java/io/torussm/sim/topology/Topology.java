package io.torussm.sim.topology;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A fabric before power-up: nodes, their GUIDs and ports, and the cables between them. Immutable. Cables are symmetric:
 * if {@code a.peer(i)} is port j of b, then {@code b.peer(j)} is port i of a.
 */
public final class Topology {
    private final List<Node> nodes;
    private final String warning;

    Topology(List<Node> nodes) {
        this(List.copyOf(nodes), "");
    }

    private Topology(List<Node> nodes, String warning) {
        this.nodes = nodes;
        this.warning = warning;
    }

    /** Returns a copy with a warning about the file that it was read from. */
    Topology with(String ofFile) {
        return new Topology(nodes, ofFile);
    }

    /** Returns the warning about the file: the number of skipped or replaced parts; empty if there are none. */
    public String warning() {
        return warning;
    }

    /** Returns all nodes in the order of the file. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the node with an id, or else the first one with a description. */
    public Optional<Node> node(String nodeIdOrDescription) {
        Stream<Node> named = nodes.stream().filter(node -> node.id().equals(nodeIdOrDescription));
        Stream<Node> described =
                nodes.stream().filter(node -> node.description().equals(nodeIdOrDescription));
        return Stream.concat(named, described).findFirst();
    }

    /** Returns the first channel adapter; empty if the topology has none. */
    public Optional<Node> firstHost() {
        return nodes.stream()
                .filter(node -> node.type() == NodeInfo.CHANNEL_ADAPTER)
                .findFirst();
    }

    /** Compares the content of two topologies, including its order. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Topology that && nodes.equals(that.nodes);
    }

    @Override
    public int hashCode() {
        return nodes.hashCode();
    }

    @Override
    public String toString() {
        return "Topology of " + nodes.size() + " nodes";
    }

    /**
     * One end of a cable.
     *
     * @param node node with the port
     * @param portNum port number, from 1
     */
    public record PortRef(Node node, int portNum) {
        @Override
        public String toString() {
            return '"' + node.id() + "\"[" + portNum + "]";
        }
    }

    /**
     * The description of a node in a file, without its cables.
     *
     * @param id quoted name by which cables refer to the node
     * @param description NodeDescription, at most 64 bytes of UTF-8
     * @param type NodeType
     * @param enhancedPort0 true for a switch with an enhanced port 0
     */
    public record Identity(
            String id,
            String description,
            int type,
            long nodeGuid,
            long systemImageGuid,
            int vendorId,
            int deviceId,
            boolean enhancedPort0) {}

    /** A switch, channel adapter or router. */
    public static final class Node {
        private final int index;
        private final Identity identity;

        /** PortGUIDs by port number; index 0 is unused except for a switch. Peers and rates have the same indexes. */
        private final long[] portGuids;

        private final @Nullable PortRef[] peers;
        private final @Nullable LinkRate[] rates;

        Node(int index, Identity identity, long[] portGuids) {
            this.index = index;
            this.identity = identity;
            this.portGuids = portGuids;
            peers = new PortRef[portGuids.length];
            rates = new LinkRate[portGuids.length];
        }

        /** Connects a port. Called by the builder only, before the node is published. */
        void connect(int portNum, PortRef peer, LinkRate rate) {
            peers[portNum] = peer;
            rates[portNum] = rate;
        }

        /** Returns the quoted name by which cables refer to the node, such as {@code S-0000000000200000}. */
        public String id() {
            return identity.id();
        }

        /** Returns the NodeDescription, at most 64 bytes of UTF-8. */
        public String description() {
            return identity.description();
        }

        /** Returns {@link NodeInfo#SWITCH}, {@link NodeInfo#CHANNEL_ADAPTER} or {@link NodeInfo#ROUTER}. */
        public int type() {
            return identity.type();
        }

        public boolean isSwitch() {
            return type() == NodeInfo.SWITCH;
        }

        public long nodeGuid() {
            return identity.nodeGuid();
        }

        /** Returns the number of external ports, 1 to 254, which are numbered from 1. */
        public int numPorts() {
            return portGuids.length - 1;
        }

        /**
         * Returns the GUID of a port. All ports of a switch have the GUID of port 0.
         *
         * @param portNum port number from 1; also 0 for a switch
         * @throws IndexOutOfBoundsException if the port does not exist
         */
        public long portGuid(int portNum) {
            return portGuids[portNum];
        }

        /**
         * Returns the port at the other end of the cable of a port.
         *
         * @return null without a cable
         * @throws IndexOutOfBoundsException if the port does not exist
         */
        public @Nullable PortRef peer(int portNum) {
            return peers[portNum];
        }

        /** Returns NodeInfo as a port of the node reports it. */
        public NodeInfo nodeInfo(int portNum) {
            return PowerUp.nodeInfo(this, portNum);
        }

        /**
         * Returns SwitchInfo of default hardware after power-up.
         *
         * @return null if this is no switch
         */
        public @Nullable SwitchInfo switchInfo() {
            return isSwitch() ? PowerUp.switchInfo(this, Hardware.DEFAULT) : null;
        }

        /**
         * Returns PortInfo of default hardware after power-up: INITIALIZE and LinkUp with a cable, Down and Polling
         * without; port 0 of a switch is ACTIVE.
         *
         * @throws IndexOutOfBoundsException if the port does not exist
         */
        public PortInfo portInfo(int portNum) {
            return PowerUp.portInfo(this, portNum, Hardware.DEFAULT);
        }

        /** Returns the index in {@link Topology#nodes()}. */
        public int index() {
            return index;
        }

        /** Returns the description of the node in a file. */
        public Identity identity() {
            return identity;
        }

        /** Returns the lowest port number of the node: 0 for a switch, otherwise 1. */
        public int firstPort() {
            return isSwitch() ? 0 : 1;
        }

        /** Returns the rate of the cable at a port; the default rate without a cable. */
        LinkRate rate(int portNum) {
            LinkRate rate = rates[portNum];
            return rate == null ? LinkRate.DEFAULT : rate;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Node that
                    && id().equals(that.id())
                    && identity.equals(that.identity)
                    && Arrays.equals(portGuids, that.portGuids)
                    && Arrays.equals(rates, that.rates)
                    && hasSamePeers(that);
        }

        /** Compares peers by id: comparing them as nodes would follow the cables of the fabric for ever. */
        private boolean hasSamePeers(Node that) {
            for (int portNum = 1; portNum < peers.length; portNum++) {
                PortRef peer = peers[portNum];
                PortRef otherPeer = that.peers[portNum];
                boolean same = peer == null
                        ? otherPeer == null
                        : otherPeer != null
                                && peer.portNum() == otherPeer.portNum()
                                && peer.node().id().equals(otherPeer.node().id());
                if (!same) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int hashCode() {
            return identity.hashCode();
        }

        @Override
        public String toString() {
            return '"' + id() + "\" (" + description() + ")";
        }
    }
}
