package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A fat tree without absent parts: the ranks of its switches and the cables between them. Immutable.
 *
 * @param ranks rank of each switch by NodeGUID, 0 at the top level
 * @param cables upper end of each cable by its lower end; the upper end is one rank above
 */
public record WholeTree(Map<Long, Integer> ranks, Map<NodePort, NodePort> cables) {
    public WholeTree {
        ranks = Collections.unmodifiableMap(new LinkedHashMap<>(ranks));
        cables = Collections.unmodifiableMap(new LinkedHashMap<>(cables));
    }

    /**
     * Returns the tree of a fabric.
     *
     * @param rank function that returns the rank of a switch index; negative if the switch is not part of the tree
     */
    public static WholeTree of(Fabric fabric, IntUnaryOperator rank) {
        Map<Long, Integer> ranks = new HashMap<>();
        Map<NodePort, NodePort> cables = new HashMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int own = rank.applyAsInt(sw);
            if (own >= 0) {
                ranks.put(fabric.nodeGuid(sw), own);
            }
            for (int portNum = 1; own > 0 && portNum <= fabric.numPorts(sw); portNum++) {
                int far = fabric.peer(fabric.port(sw, portNum));
                boolean isSwitch = far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
                if (isSwitch && rank.applyAsInt(fabric.nodeOf(far)) == own - 1) {
                    cables.put(fabric.nodePort(fabric.port(sw, portNum)), fabric.nodePort(far));
                }
            }
        }
        return new WholeTree(ranks, cables);
    }

    /** Compares identity first: after most sweeps the tree is the same object, and to compare a large tree is slow. */
    @Override
    @SuppressWarnings("ReferenceEquality")
    public boolean equals(@Nullable Object other) {
        return other == this
                || (other instanceof WholeTree that && that.ranks.equals(ranks) && that.cables.equals(cables));
    }

    @Override
    public int hashCode() {
        return 31 * ranks.hashCode() + cables.hashCode();
    }

    /** Returns the largest rank, which is that of leaves; 0 without switches. */
    public int leafRank() {
        return ranks.values().stream().mapToInt(rank -> rank).max().orElse(0);
    }
}
