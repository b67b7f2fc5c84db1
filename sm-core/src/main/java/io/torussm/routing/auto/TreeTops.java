package io.torussm.routing.auto;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import io.torussm.tree.FabricTree;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** The switches that {@link AutoEngine} gives to engines as roots, if the operator names no roots. */
final class TreeTops {
    private TreeTops() {}

    /** Returns the spines of a tree; for another fabric, the switches farthest from hosts. */
    static IntStream of(FabricTree tree) {
        if (tree.isTree()) {
            return Arrays.stream(tree.spines()).sorted();
        }
        Fabric fabric = tree.fabric();
        Ranks ranks = new Ranks(new Links(fabric), leaves(fabric));
        int highest = IntStream.range(0, fabric.switchCount())
                .map(ranks::of)
                .filter(rank -> rank != Ranks.UNREACHABLE)
                .max()
                .orElse(0);
        return IntStream.range(0, fabric.switchCount()).filter(sw -> ranks.of(sw) == highest);
    }

    /** Returns the switches with hosts. */
    private static BitSet leaves(Fabric fabric) {
        BitSet leaves = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = fabric.isEndport(port)
                    && !fabric.isSwitch(fabric.nodeOf(port))
                    && !FabricTree.isAggregationNode(fabric, fabric.nodeOf(port));
            int sw = isHost ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE) {
                leaves.set(sw);
            }
        }
        return leaves;
    }
}
