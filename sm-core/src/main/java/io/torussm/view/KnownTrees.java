package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.WholeTree;
import io.torussm.tree.FabricTree;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The creation of the tree of a fabric with the remembered levels of its switches. */
public final class KnownTrees {
    private KnownTrees() {}

    /**
     * Returns the tree of a fabric. Switches keep their level and number. At the first discovery, levels come from
     * the remembered tree.
     *
     * @param previousSubnet subnet of the previous discovery; null at the first discovery
     * @param roots configured roots by GUID; null if they are unknown
     * @param keptTree tree in the state directory; null without one
     */
    public static FabricTree of(
            @Nullable PlacedSubnet previousSubnet,
            Fabric currentFabric,
            @Nullable Set<Long> roots,
            @Nullable WholeTree keptTree) {
        FabricTree previousTree = previousSubnet == null ? null : previousSubnet.tree();
        if (previousSubnet == null || previousTree == null) {
            boolean isFree = roots == null || roots.isEmpty();
            return FabricTree.of(currentFabric, roots == null ? Set.of() : roots, isFree ? levels(keptTree) : Map.of());
        }
        Set<Long> newer = roots == null ? previousTree.roots() : roots;
        boolean isSame = FabricState.isSameCabling(previousSubnet.fabric(), currentFabric)
                && previousTree.fabric().names().equals(currentFabric.names())
                && previousTree.roots().equals(newer);
        return isSame ? previousTree : previousTree.after(currentFabric, newer);
    }

    /** Returns remembered places by node GUID, with levels only. */
    private static Map<Long, FabricTree.TreePlace> levels(@Nullable WholeTree keptTree) {
        Map<Long, FabricTree.TreePlace> levels = new HashMap<>();
        if (keptTree != null) {
            int leaves = keptTree.leafRank();
            keptTree.ranks()
                    .forEach((guid, rank) ->
                            levels.put(guid, new FabricTree.TreePlace(leaves - rank, FabricTree.NO_LEVEL)));
        }
        return levels;
    }

    /**
     * Returns a tree without faults that result from lost cables.
     *
     * @param previousSubnet subnet of the previous discovery; null at the first discovery
     */
    public static FabricTree withoutLossFaults(
            FabricTree tree, Absences absences, @Nullable PlacedSubnet previousSubnet) {
        Map<NodePort, NodePort> lost = new HashMap<>();
        for (LostCable cable : absences.cables()) {
            if (cable.isBetweenSwitches()) {
                lost.put(end(cable.near()), end(cable.far()));
            }
        }
        return tree.withoutFaultsFromLosses(lost, previousSubnet == null ? null : previousSubnet.tree());
    }

    private static NodePort end(LostCable.LostEnd end) {
        return new NodePort(end.nodeGuid(), end.port().portNum());
    }
}
