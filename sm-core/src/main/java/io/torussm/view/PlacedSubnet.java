package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.SiteMap;
import io.torussm.routing.PlanExplainer;
import io.torussm.subnet.CoordinateStore;
import io.torussm.subnet.Subnet;
import io.torussm.tree.FabricTree;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A subnet with the coordinates of its switches. The subnet may be routed or not. Immutable.
 *
 * @param explainer reports coordinates by switch index of the subnet's fabric; if no engine routes the fabric,
 *     it may report rings and the lattice, or coordinates alone
 * @param tree tree that the cables form, or the previous tree; null if it was not computed
 */
public record PlacedSubnet(
        Subnet subnet, PlanExplainer explainer, @Nullable FabricTree tree) {
    /** Creates a subnet without a computed tree. */
    public PlacedSubnet(Subnet subnet, PlanExplainer explainer) {
        this(subnet, explainer, null);
    }

    /** Returns a copy with a tree. */
    public PlacedSubnet with(@Nullable FabricTree newer) {
        return new PlacedSubnet(subnet, explainer, newer);
    }

    /**
     * Returns the tree of the cables, which is computed if necessary. If the fabric is no tree, {@link
     * FabricTree#isTree} is false.
     */
    public FabricTree treeOrNew() {
        return tree == null ? FabricTree.of(fabric()) : tree;
    }

    /**
     * Returns a subnet with remembered coordinates only.
     *
     * @param places coordinates by node GUID
     */
    public static PlacedSubnet at(Map<Long, CoordinateStore.Place> places, Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return new PlacedSubnet(subnet, new PlanExplainer() {
            @Override
            public String coordinates(int sw) {
                CoordinateStore.Place place = places.get(fabric.nodeGuid(sw));
                return place == null ? "" : place.coordinates();
            }
        });
    }

    /** Returns the fabric of the subnet. */
    public Fabric fabric() {
        return subnet.fabric();
    }

    /**
     * Returns the coordinates of a node in a torus or its place in a tree; empty for a host, and for a switch
     * without a place.
     */
    public String place(int node) {
        if (!fabric().isSwitch(node)) {
            return "";
        }
        String coordinates = explainer.coordinates(node);
        return coordinates.isEmpty() && tree != null ? tree.place(fabric().nodeGuid(node)) : coordinates;
    }

    /** Returns the location of a node in the machine room. */
    public SiteMap.Site site(int node) {
        return fabric().names().sites().site(fabric().nodeGuid(node), place(node));
    }

    /** Returns a copy with the PortInfo of a newer fabric. Ports that the newer fabric lacks keep their PortInfo. */
    public PlacedSubnet withAnswersOf(Fabric newer) {
        Fabric fabric = fabric();
        @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
        Arrays.setAll(infos, port -> {
            int newerPort = counterpart(fabric, port, newer);
            return newerPort == Fabric.NONE ? fabric.portInfo(port) : newer.portInfo(newerPort);
        });
        return new PlacedSubnet(subnet.with(fabric.with(infos)), explainer, tree);
    }

    /**
     * Checks whether a port of an older fabric had a cable that is absent from a newer fabric: it does not join the
     * same two ports there.
     */
    public static boolean isLost(Fabric oldFabric, int port, Fabric currentFabric) {
        int far = oldFabric.peer(port);
        if (far == Fabric.NONE) {
            return false;
        }
        int currentPort = counterpart(oldFabric, port, currentFabric);
        int currentFar = counterpart(oldFabric, far, currentFabric);
        return currentPort == Fabric.NONE || currentFar == Fabric.NONE || currentFabric.peer(currentPort) != currentFar;
    }

    /**
     * Returns the index of the port with the same node GUID and port number in another fabric; {@link Fabric#NONE}
     * without such a port.
     */
    public static int counterpart(Fabric from, int port, Fabric to) {
        if (from == to) {
            return port;
        }
        long guid = from.nodeGuid(from.nodeOf(port));
        // Indexes are mostly equal in both fabrics, which saves the search by GUID.
        int likely = from.nodeOf(port);
        int node = likely < to.nodeCount() && to.nodeGuid(likely) == guid ? likely : to.nodeByGuid(guid);
        return node == Fabric.NONE || from.portNum(port) > to.numPorts(node)
                ? Fabric.NONE
                : to.port(node, from.portNum(port));
    }
}
