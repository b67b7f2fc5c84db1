package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.WholeTree;
import io.torussm.tree.FabricTree;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tree of a fabric, with the remembered levels of its switches. */
public final class KnownTrees {
    private KnownTrees() {}

    /**
     * Returns the tree of a fabric. Switches keep their coordinates. At the first look they have the
     * remembered levels of the state directory.
     *
     * @param previousSubnet null at the first look
     * @param roots the configured roots; null if they are not known now
     * @param keptTree null if none is remembered
     */
    public static FabricTree of(
            @Nullable PlacedSubnet previousSubnet,
            Fabric currentFabric,
            @Nullable Set<Long> roots,
            @Nullable WholeTree keptTree) {
        FabricTree known = previousSubnet == null ? null : previousSubnet.tree();
        if (previousSubnet == null || known == null) {
            boolean isFree = roots == null || roots.isEmpty();
            return FabricTree.of(currentFabric, roots == null ? Set.of() : roots, isFree ? levels(keptTree) : Map.of());
        }
        Set<Long> newer = roots == null ? known.roots() : roots;
        boolean isSame = FabricState.isSameCabling(previousSubnet.fabric(), currentFabric)
                && known.fabric().names().equals(currentFabric.names())
                && known.roots().equals(newer);
        return isSame ? known : known.after(currentFabric, newer);
    }

    private static Map<Long, FabricTree.Known> levels(@Nullable WholeTree keptTree) {
        Map<Long, FabricTree.Known> levels = new HashMap<>();
        if (keptTree != null) {
            int leaves = keptTree.leafRank();
            keptTree.ranks()
                    .forEach(
                            (guid, rank) -> levels.put(guid, new FabricTree.Known(leaves - rank, FabricTree.NO_LEVEL)));
        }
        return levels;
    }

    /** Returns a tree without faults that result from losses; before is null at the first look. */
    public static FabricTree lacking(FabricTree tree, Absences absences, @Nullable PlacedSubnet previousSubnet) {
        Map<NodePort, NodePort> lost = new HashMap<>();
        for (LostCable cable : absences.cables()) {
            if (cable.isBetweenSwitches()) {
                lost.put(end(cable.near()), end(cable.far()));
            }
        }
        return tree.lacking(lost, previousSubnet == null ? null : previousSubnet.tree());
    }

    private static NodePort end(LostCable.LostEnd end) {
        return new NodePort(end.nodeGuid(), end.port().portNum());
    }
}
