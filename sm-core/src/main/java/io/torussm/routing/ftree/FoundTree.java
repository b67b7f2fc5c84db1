package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.WholeTree;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeFault;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An even tree that lost cables before this SM saw it. Its levels follow the majority of cables and hosts, see
 * {@link FabricTree}. If similar switches have a cable that a switch lacks, it is added, at the port that a
 * pattern suggests or at a free port. A wrong guess affects only the balance, since {@link MendedTables} changes
 * each path over an absent cable.
 */
final class FoundTree {
    /** The maximum share of lost cables up. If more are missing, the tree is assumed to be built unevenly. */
    private static final double MAX_LOST_SHARE = 0.1;

    private final Fabric fabric;
    private final FabricTree tree;
    /** The upper end of each cable by its lower end, as in {@link WholeTree}. */
    private final Map<NodePort, NodePort> cables;

    /** The other end of each cable, by either end. */
    private final Map<NodePort, NodePort> ends = new HashMap<>();

    private FoundTree(FabricTree tree, WholeTree found) {
        this.tree = tree;
        fabric = tree.fabric();
        cables = new HashMap<>(found.cables());
        cables.forEach((end, far) -> {
            ends.put(end, far);
            ends.put(far, end);
        });
    }

    /** Returns the tree with the lost cables; null if the fabric is no tree, or is built unevenly. */
    static @Nullable WholeTree of(Fabric fabric) {
        FabricTree tree = FabricTree.of(fabric);
        if (!tree.isTree() || tree.levels() < 2 || !isNearlyEven(tree)) {
            return null;
        }
        int top = tree.levels() - 1;
        WholeTree present =
                WholeTree.of(fabric, sw -> tree.level(sw) == FabricTree.NO_LEVEL ? -1 : top - tree.level(sw));
        return new FoundTree(tree, present).complete(present);
    }

    private static boolean isNearlyEven(FabricTree tree) {
        long total = 0;
        long absent = 0;
        for (int level = 0; level < tree.levels() - 1; level++) {
            int[] uplinks =
                    Arrays.stream(tree.switchesAt(level)).map(tree::uplinks).toArray();
            long max = Arrays.stream(uplinks).max().orElse(0) * (long) uplinks.length;
            total += max;
            absent += max - Arrays.stream(uplinks).sum();
        }
        return absent <= MAX_LOST_SHARE * total;
    }

    private WholeTree complete(WholeTree found) {
        for (TreeFault fault : tree.faults()) {
            if (fault.kind() == TreeFault.FaultType.MISSING_UPLINK && fault.targetSwitch() != Fabric.NONE) {
                for (int i = 0; i < fault.count(); i++) {
                    addCable(
                            freePort(fault.sw(), i == 0 ? fault.port() : Fabric.NONE),
                            freePort(fault.targetSwitch(), fault.far()));
                }
            }
        }
        return new WholeTree(found.ranks(), cables);
    }

    private void addCable(@Nullable NodePort end, @Nullable NodePort far) {
        if (end != null && far != null) {
            cables.put(end, far);
            ends.put(end, far);
            ends.put(far, end);
        }
    }

    /**
     * Returns a port of a switch without a cable, the proposed port if it has none; null if all ports have cables.
     *
     * @param proposed port index, {@link Fabric#NONE} for no proposal
     */
    private @Nullable NodePort freePort(int sw, int proposed) {
        return IntStream.concat(
                        IntStream.of(proposed).filter(port -> port != Fabric.NONE),
                        IntStream.rangeClosed(1, fabric.numPorts(sw)).map(portNum -> fabric.port(sw, portNum)))
                .filter(port -> fabric.peer(port) == Fabric.NONE)
                .mapToObj(fabric::nodePort)
                .filter(end -> !ends.containsKey(end))
                .findFirst()
                .orElse(null);
    }
}
