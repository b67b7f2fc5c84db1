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
 * The content of a machine room before power-up: nodes, their GUIDs and ports, and the cables between them. Immutable.
 * Cables are symmetric: if {@code a.peer(i)} is port j of b, then {@code b.peer(j)} is port i of a.
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

    /** Returns the same, with a warning about the file that it was read from. */
    Topology with(String ofFile) {
        return new Topology(nodes, ofFile);
    }

    /** Returns the warning about its file: the number of skipped or replaced parts; empty if there are none. */
    public String warning() {
        return warning;
    }

    /** Returns all nodes, in the order of the file. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns the node of a quoted name, or else the first one of a description. */
    public Optional<Node> node(String nodeIdOrDescription) {
        Stream<Node> named = nodes.stream().filter(node -> node.id().equals(nodeIdOrDescription));
        Stream<Node> described =
                nodes.stream().filter(node -> node.description().equals(nodeIdOrDescription));
        return Stream.concat(named, described).findFirst();
    }

    /** Returns the first channel adapter; empty if there is none. */
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

    /** One end of a cable. */
    public record PortRef(Node node, int portNum) {
        @Override
        public String toString() {
            return '"' + node.id() + "\"[" + portNum + "]";
        }
    }

    /** The description of a node in a file, without its cables. */
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

        /** Connects a port; called by the builder only, before the node is published. */
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

        /** Returns the number of physical ports, 1 to 254; port 0 of a switch is not counted. */
        public int numPorts() {
            return portGuids.length - 1;
        }

        /**
         * Returns the GUID of a port; every port of a switch shows that of port 0.
         *
         * @param portNum 0 to {@link #numPorts()} for a switch, else from 1
         * @throws IndexOutOfBoundsException if there is no such port
         */
        public long portGuid(int portNum) {
            return portGuids[portNum];
        }

        /**
         * Returns the other end of the cable.
         *
         * @return null if nothing is plugged in
         * @throws IndexOutOfBoundsException if there is no such port
         */
        public @Nullable PortRef peer(int portNum) {
            return peers[portNum];
        }

        /** Returns the NodeInfo that the node sends through a port. */
        public NodeInfo nodeInfo(int portNum) {
            return PowerUp.nodeInfo(this, portNum);
        }

        /**
         * Returns the SwitchInfo of usual hardware after power-up.
         *
         * @return null if this is not a switch
         */
        public @Nullable SwitchInfo switchInfo() {
            return isSwitch() ? PowerUp.switchInfo(this, Hardware.USUAL) : null;
        }

        /**
         * Returns the PortInfo of usual hardware after power-up: INITIALIZE and LinkUp if a cable is plugged in, else
         * Down and Polling; port 0 of a switch is ACTIVE.
         *
         * @throws IndexOutOfBoundsException if there is no such port
         */
        public PortInfo portInfo(int portNum) {
            return PowerUp.portInfo(this, portNum, Hardware.USUAL);
        }

        /** Returns the position in {@link Topology#nodes()}. */
        public int index() {
            return index;
        }

        /** Returns the description of the node. */
        public Identity identity() {
            return identity;
        }

        /** Returns the lowest port number of the node. */
        public int firstPort() {
            return isSwitch() ? 0 : 1;
        }

        /** Returns the rate of the cable at a port, or that of an empty port. */
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
                    && samePeers(that);
        }

        /** Compares peers by name: comparing them as nodes would walk round the fabric for ever. */
        private boolean samePeers(Node that) {
            for (int portNum = 1; portNum < peers.length; portNum++) {
                PortRef mine = peers[portNum];
                PortRef theirs = that.peers[portNum];
                boolean same = mine == null
                        ? theirs == null
                        : theirs != null
                                && mine.portNum() == theirs.portNum()
                                && mine.node().id().equals(theirs.node().id());
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
