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
 * A subnet and the coordinates of its switches, routed or not.
 *
 * @param explainer reports coordinates by switch index of the subnet's fabric; if no engine routes the
 * fabric, it may report rings and the lattice, or coordinates alone
 * @param tree formed by the cables, or the previous one; null if it was not computed
 */
public record PlacedSubnet(
        Subnet subnet, PlanExplainer explainer, @Nullable FabricTree tree) {
    /** Makes a subnet without a computed tree. */
    public PlacedSubnet(Subnet subnet, PlanExplainer explainer) {
        this(subnet, explainer, null);
    }

    /** Returns a copy with the tree that its cables form, or fail to form. */
    public PlacedSubnet with(@Nullable FabricTree newer) {
        return new PlacedSubnet(subnet, explainer, newer);
    }

    /** Returns the tree that its cables form, or fail to form; computes it if necessary. */
    public FabricTree treeOrNew() {
        return tree == null ? FabricTree.of(fabric()) : tree;
    }

    /** Returns a subnet with only the earlier coordinates of its switches, by node GUID. */
    public static PlacedSubnet at(Map<Long, CoordinateStore.Place> places, Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return new PlacedSubnet(subnet, new PlanExplainer() {
            @Override
            public String coordinates(int sw) {
                CoordinateStore.Place place = places.get(fabric.nodeGuid(sw));
                return place == null ? "" : place.at();
            }
        });
    }

    /** Returns the fabric of the subnet. */
    public Fabric fabric() {
        return subnet.fabric();
    }

    /** Returns the coordinates of a node, in a torus or in a tree; empty if it is no switch, or has none. */
    public String place(int node) {
        if (!fabric().isSwitch(node)) {
            return "";
        }
        String coordinates = explainer.coordinates(node);
        return coordinates.isEmpty() && tree != null ? tree.place(fabric().nodeGuid(node)) : coordinates;
    }

    /** Returns the position of a node in the machine room. */
    public SiteMap.Site site(int node) {
        return fabric().names().sites().site(fabric().nodeGuid(node), place(node));
    }

    /** Returns the subnet with the PortInfo of a newer fabric, which may lack some of the nodes. */
    public PlacedSubnet answering(Fabric newer) {
        Fabric fabric = fabric();
        @Nullable PortInfo[] infos = new PortInfo[fabric.portCount()];
        Arrays.setAll(infos, port -> {
            int same = counterpart(fabric, port, newer);
            return same == Fabric.NONE ? fabric.portInfo(port) : newer.portInfo(same);
        });
        return new PlacedSubnet(subnet.with(fabric.with(infos)), explainer, tree);
    }

    /**
     * Checks whether a port of an older fabric had a cable that does not join the same two ports in a newer
     * one.
     */
    public static boolean isLost(Fabric oldFabric, int port, Fabric currentFabric) {
        int far = oldFabric.peer(port);
        if (far == Fabric.NONE) {
            return false;
        }
        int same = counterpart(oldFabric, port, currentFabric);
        int farSame = counterpart(oldFabric, far, currentFabric);
        return same == Fabric.NONE || farSame == Fabric.NONE || currentFabric.peer(same) != farSame;
    }

    /**
     * Returns the port with the same node GUID and number in another fabric; {@link Fabric#NONE} if there is
     * none.
     */
    public static int counterpart(Fabric from, int port, Fabric to) {
        if (from == to) {
            return port;
        }
        long guid = from.nodeGuid(from.nodeOf(port));
        int likely = from.nodeOf(port);
        int node = likely < to.nodeCount() && to.nodeGuid(likely) == guid ? likely : to.nodeByGuid(guid);
        return node == Fabric.NONE || from.portNum(port) > to.numPorts(node)
                ? Fabric.NONE
                : to.port(node, from.portNum(port));
    }
}
