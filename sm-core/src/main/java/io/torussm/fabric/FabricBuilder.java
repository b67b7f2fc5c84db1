package io.torussm.fabric;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.names.Names;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mutable collection of nodes, ports and cables, which are added in any order. {@link #build} makes an
 * immutable {@link Fabric} of it. Nodes are identified by NodeGUID. Not thread-safe.
 */
public final class FabricBuilder {
    private final Map<Long, Draft> drafts = new LinkedHashMap<>();
    private final List<DeviceText> anomalies = new ArrayList<>();
    private final Names names;
    private @Nullable Draft local;
    private int localPortNum;

    /** True if {@link #retrace} ran after the last change of nodes and cables. */
    private boolean areRoutesCurrent;

    /** A node of the collection. Arrays are by port number. */
    private static final class Draft {
        final NodeInfo info;
        DrPath path;
        String description = "";

        @Nullable
        SwitchInfo switchInfo;

        final @Nullable PortInfo[] ports;
        final long[] portGuids;
        final @Nullable Draft[] peers;
        final int[] peerPorts;
        /** The node index in the fabric, set by {@link FabricBuilder#build}. */
        int node;

        /** True if the last {@link FabricBuilder#retrace} reached this node. */
        boolean isReached;

        Draft(NodeInfo info, DrPath path) {
            this.info = info;
            this.path = path;
            int slots = info.numPorts() + 1;
            ports = new PortInfo[slots];
            portGuids = new long[slots];
            peers = new Draft[slots];
            peerPorts = new int[slots];
        }
    }

    /** Creates an empty collection. The names of nodes are their descriptions. */
    public FabricBuilder() {
        this(Names.NONE);
    }

    /** Creates an empty collection with the operator's names of nodes. */
    public FabricBuilder(Names names) {
        this.names = names;
    }

    /** Returns a collection with the content of a fabric, without its anomalies. */
    public static FabricBuilder of(Fabric fabric) {
        FabricBuilder builder = new FabricBuilder(fabric.names());
        for (int node = 0; node < fabric.nodeCount(); node++) {
            Fabric.Node known = fabric.node(node);
            Draft draft = new Draft(known.info(), known.path());
            draft.description = known.description();
            draft.switchInfo = known.switchInfo();
            builder.drafts.put(fabric.nodeGuid(node), draft);
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            Draft draft = builder.draft(fabric.nodeGuid(fabric.nodeOf(port)));
            int portNum = fabric.portNum(port);
            draft.ports[portNum] = fabric.portInfo(port);
            draft.portGuids[portNum] = fabric.portGuid(port);
            int far = fabric.peer(port);
            if (far != Fabric.NONE) {
                draft.peers[portNum] = builder.draft(fabric.nodeGuid(fabric.nodeOf(far)));
                draft.peerPorts[portNum] = fabric.portNum(far);
            }
        }
        int local = fabric.localPort();
        builder.local = builder.draft(fabric.nodeGuid(fabric.nodeOf(local)));
        builder.localPortNum = fabric.portNum(local);
        return builder;
    }

    /** Checks whether a node with this NodeGUID is known. */
    public boolean knows(long nodeGuid) {
        return drafts.containsKey(nodeGuid);
    }

    /**
     * Adds a node. The first node is that of the SM. If the NodeGUID is known, adds only the port GUID.
     *
     * @param path directed route to the node
     */
    public void addNode(NodeInfo info, DrPath path) {
        areRoutesCurrent = false;
        Draft draft = drafts.computeIfAbsent(info.nodeGuid(), guid -> new Draft(info, path));
        if (local == null) {
            local = draft;
            localPortNum = info.localPortNum();
        }
        draft.portGuids[info.isSwitch() ? 0 : info.localPortNum()] = info.portGuid();
    }

    /** Returns the NodeInfo of a node. */
    public NodeInfo info(long nodeGuid) {
        return draft(nodeGuid).info;
    }

    /** Returns the GUID of a port; 0 if it is unknown. */
    public long portGuid(long nodeGuid, int portNum) {
        return draft(nodeGuid).portGuids[portNum];
    }

    /** Returns the directed route to a node. */
    public DrPath path(long nodeGuid) {
        return draft(nodeGuid).path;
    }

    /** Returns the operator's names of nodes. */
    public Names names() {
        return names;
    }

    /** Returns the displayed name of a node; empty if unknown. */
    public String nodeName(long nodeGuid) {
        Draft draft = drafts.get(nodeGuid);
        return names.of(nodeGuid, draft == null ? "" : draft.description);
    }

    /** Returns the text for a node in logs: its GUID, and its name if it is known. */
    public String name(long nodeGuid) {
        String name = nodeName(nodeGuid);
        return Guid.format(nodeGuid) + (name.isEmpty() ? "" : " \"" + name + "\"");
    }

    /** Returns the text for a node in events. */
    public DeviceText device(long nodeGuid) {
        return DeviceText.ofDevice(name(nodeGuid), EventField.GUID.of(nodeGuid));
    }

    public void setDescription(long nodeGuid, String description) {
        draft(nodeGuid).description = description;
    }

    public void setSwitchInfo(long nodeGuid, SwitchInfo info) {
        draft(nodeGuid).switchInfo = info;
    }

    public void setPortInfo(long nodeGuid, int portNum, PortInfo info) {
        draft(nodeGuid).ports[portNum] = info;
    }

    /** Returns the PortInfo of a port; null if it was not read. */
    public @Nullable PortInfo portInfo(long nodeGuid, int portNum) {
        return draft(nodeGuid).ports[portNum];
    }

    /** Returns the PortInfo of the local port; null if it was not read. */
    public @Nullable PortInfo localPortInfo() {
        Draft self = local();
        return self.ports[self.info.isSwitch() ? 0 : localPortNum];
    }

    /** Sets the GUID of a port; on switches only the GUID of port 0 is used. */
    public void setPortGuid(long nodeGuid, int portNum, long portGuid) {
        draft(nodeGuid).portGuids[portNum] = portGuid;
    }

    /** Checks whether a port has a cable. */
    public boolean isLinked(long nodeGuid, int portNum) {
        return draft(nodeGuid).peers[portNum] != null;
    }

    /** Returns the port at the other end of a port's cable; null without a cable. */
    public @Nullable NodePort peer(long nodeGuid, int portNum) {
        Draft draft = draft(nodeGuid);
        Draft far = draft.peers[portNum];
        return far == null ? null : new NodePort(far.info.nodeGuid(), draft.peerPorts[portNum]);
    }

    /** Adds a cable between two ports. */
    public void link(long guidA, int portA, long guidB, int portB) {
        areRoutesCurrent = false;
        Draft a = draft(guidA);
        Draft b = draft(guidB);
        a.peers[portA] = b;
        a.peerPorts[portA] = portB;
        b.peers[portB] = a;
        b.peerPorts[portB] = portA;
    }

    /** Removes the cable of a port, at both ends. */
    public void unlink(long nodeGuid, int portNum) {
        areRoutesCurrent = false;
        unlink(draft(nodeGuid), portNum);
    }

    private static void unlink(Draft draft, int portNum) {
        Draft far = draft.peers[portNum];
        if (far != null) {
            far.peers[draft.peerPorts[portNum]] = null;
            draft.peers[portNum] = null;
        }
    }

    /**
     * Returns a shortest route to a node that avoids the last switch on the present route. If no such route exists,
     * the route avoids at least the last cable of the present route.
     *
     * @return route; null if that cable is the only connection, and for the node of the SM
     */
    public @Nullable DrPath detour(long nodeGuid) {
        Draft to = draft(nodeGuid);
        if (to.path.hops() == 0) {
            return null;
        }
        Draft previous = at(to.path.parent());
        DrPath detour = routeTo(to, previous, true);
        return detour != null ? detour : routeTo(to, previous, false);
    }

    /**
     * Returns a shortest route to a node; null without a route.
     *
     * @param isWhole true to avoid a whole node, false to avoid only its cables to the destination
     */
    private @Nullable DrPath routeTo(Draft to, @Nullable Draft avoided, boolean isWhole) {
        Draft self = local();
        Map<Draft, DrPath> routes = new HashMap<>(Map.of(self, DrPath.LOCAL));
        ArrayDeque<Draft> border = new ArrayDeque<>(List.of(self));
        while (!border.isEmpty() && !routes.containsKey(to)) {
            Draft draft = border.remove();
            DrPath route = routes.getOrDefault(draft, DrPath.LOCAL);
            for (int portNum = 1; portNum < draft.peers.length && route.hops() < DrPath.MAX_HOPS; portNum++) {
                Draft far = draft.peers[portNum];
                boolean leads = draft.info.isSwitch() || (draft == self && portNum == localPortNum);
                boolean isAvoided = isWhole ? far == avoided : draft == avoided && far == to;
                if (leads && far != null && !isAvoided && routes.putIfAbsent(far, route.withHop(portNum)) == null) {
                    border.add(far);
                }
            }
        }
        return routes.get(to);
    }

    /** Checks whether a route leads to a known node over the current cables. */
    public boolean leadsTo(DrPath route, long nodeGuid) {
        return at(route) == draft(nodeGuid);
    }

    /** Returns the node at the end of a route over the current cables; null if a cable is absent. */
    private @Nullable Draft at(DrPath path) {
        Draft draft = local();
        for (int hop = 0; hop < path.hops() && draft != null; hop++) {
            draft = draft.peers[path.port(hop)];
        }
        return draft;
    }

    /**
     * Moves the SM to another end port. Routes are not valid until {@link #retrace}.
     *
     * @param portNum port number, 0 for a switch
     */
    public void moveSm(long nodeGuid, int portNum) {
        areRoutesCurrent = false;
        Draft self = draft(nodeGuid);
        self.path = DrPath.LOCAL;
        local = self;
        localPortNum = portNum;
    }

    /** Assigns to every node a shortest route over the current cables, and removes unreachable nodes. */
    public void retrace() {
        if (areRoutesCurrent) {
            return;
        }
        areRoutesCurrent = true;
        drafts.values().forEach(draft -> draft.isReached = false);
        Draft self = local();
        self.isReached = true;
        ArrayDeque<Draft> border = new ArrayDeque<>(List.of(self));
        while (!border.isEmpty()) {
            Draft draft = border.remove();
            for (int portNum = 1; portNum < draft.peers.length && draft.path.hops() < DrPath.MAX_HOPS; portNum++) {
                Draft far = draft.peers[portNum];
                boolean leads = draft.info.isSwitch() || (draft == self && portNum == localPortNum);
                if (leads && far != null && !far.isReached) {
                    far.isReached = true;
                    far.path = draft.path.withHop(portNum);
                    border.add(far);
                }
            }
        }
        drafts.values().stream().filter(draft -> !draft.isReached).forEach(FabricBuilder::unlinkAll);
        drafts.values().removeIf(draft -> !draft.isReached);
        drafts.values().forEach(this::removeUnlinkedPorts);
    }

    private static void unlinkAll(Draft draft) {
        for (int portNum = 1; portNum < draft.peers.length; portNum++) {
            unlink(draft, portNum);
        }
    }

    /** Removes the PortInfo and GUID of ports of a host without a cable. Discovery does not find such ports either. */
    private void removeUnlinkedPorts(Draft draft) {
        for (int portNum = 1; portNum < draft.peers.length && !draft.info.isSwitch(); portNum++) {
            boolean isLocal = draft == local && portNum == localPortNum;
            if (draft.peers[portNum] == null && !isLocal) {
                draft.ports[portNum] = null;
                draft.portGuids[portNum] = 0;
            }
        }
    }

    /**
     * Adds an anomaly of discovery.
     *
     * @param anomaly parts of a text for operators, see {@link DeviceText#of}
     */
    public void report(Object... anomaly) {
        anomalies.add(DeviceText.of(anomaly));
    }

    /**
     * Creates a fabric with the present content.
     *
     * @throws IllegalStateException if no node was added
     */
    public Fabric build() {
        Draft self = local();
        Draft[] sorted = drafts.values().toArray(new Draft[0]);
        Arrays.sort(sorted, FabricBuilder::compareNodes);
        Fabric.Node[] nodes = new Fabric.Node[sorted.length];
        int[] firstPort = new int[sorted.length + 1];
        int switchCount = 0;
        for (int node = 0; node < sorted.length; node++) {
            Draft draft = sorted[node];
            draft.node = node;
            nodes[node] = new Fabric.Node(draft.info, draft.description, draft.switchInfo, draft.path);
            firstPort[node + 1] = firstPort[node] + draft.info.numPorts() + 1;
            switchCount += draft.info.isSwitch() ? 1 : 0;
        }
        int ports = firstPort[sorted.length];
        int[] peer = new int[ports];
        @Nullable PortInfo[] portInfos = new PortInfo[ports];
        long[] portGuids = new long[ports];
        for (Draft draft : sorted) {
            for (int portNum = 0; portNum < draft.ports.length; portNum++) {
                int port = firstPort[draft.node] + portNum;
                Draft far = draft.peers[portNum];
                peer[port] = far == null ? Fabric.NONE : firstPort[far.node] + draft.peerPorts[portNum];
                portInfos[port] = draft.ports[portNum];
                portGuids[port] = draft.portGuids[portNum];
            }
        }
        int localPort = firstPort[self.node] + (self.info.isSwitch() ? 0 : localPortNum);
        return new Fabric(switchCount, nodes, firstPort, peer, portInfos, portGuids, localPort, anomalies, names);
    }

    /**
     * Compares nodes: switches first, then by GUID. It uses no chain of Comparators, because these are not in the
     * CDS archive and would delay the start.
     */
    private static int compareNodes(Draft one, Draft other) {
        int byKind = Boolean.compare(other.info.isSwitch(), one.info.isSwitch());
        return byKind != 0 ? byKind : Long.compareUnsigned(one.info.nodeGuid(), other.info.nodeGuid());
    }

    private Draft local() {
        Draft self = local;
        if (self == null) {
            throw new IllegalStateException("a fabric has at least the local node");
        }
        return self;
    }

    private Draft draft(long nodeGuid) {
        Draft draft = drafts.get(nodeGuid);
        if (draft == null) {
            throw new IllegalStateException("no node 0x" + Long.toHexString(nodeGuid));
        }
        return draft;
    }
}
