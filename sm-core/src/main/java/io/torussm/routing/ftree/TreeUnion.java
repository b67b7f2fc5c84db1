package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.WholeTree;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The union of the previous tree and the additions of a fabric. New switches get the rank that their cables
 * suggest. A switch in the place of another takes over its rank and cables. A moved cable is at its new
 * place. Cables that do not lead from a rank to the next are left out.
 */
final class TreeUnion {
    private static final int UNKNOWN = -1;

    private final Fabric fabric;
    private final Map<Long, Integer> ranks;

    /** Both ends of each cable, by each other. */
    private final Map<NodePort, NodePort> ends = new HashMap<>();

    private TreeUnion(WholeTree keptTree, Fabric fabric) {
        this.fabric = fabric;
        ranks = new HashMap<>(keptTree.ranks());
        keptTree.cables().forEach(this::join);
    }

    /**
     * Returns the union.
     *
     * @return null if the fabric is another one: it has fewer than half of the cables, and these are fewer than
     *     half of its own; or the rank of a switch is unknown
     */
    static @Nullable WholeTree of(WholeTree keptTree, Fabric fabric) {
        TreeUnion union = new TreeUnion(keptTree, fabric);
        return union.isOtherFabric(keptTree) || !union.ranksAll() ? null : union.grown();
    }

    private void join(NodePort a, NodePort b) {
        cut(a);
        cut(b);
        ends.put(a, b);
        ends.put(b, a);
    }

    private void cut(NodePort end) {
        NodePort far = ends.remove(end);
        if (far != null) {
            ends.remove(far);
        }
    }

    /**
     * Checks whether a fabric is another one. A part that was cut off has few cables of the tree, but hardly others.
     */
    private boolean isOtherFabric(WholeTree keptTree) {
        long there = keptTree.cables().entrySet().stream()
                .filter(cable -> isThere(cable.getKey(), cable.getValue()))
                .count();
        long own = IntStream.range(0, fabric.portCount())
                        .filter(port -> fabric.isSwitch(fabric.nodeOf(port)) && leadsToSwitch(port))
                        .count()
                / 2;
        return 2 * there < Math.min(keptTree.cables().size(), own);
    }

    private boolean isThere(NodePort end, NodePort far) {
        int sw = fabric.nodeByGuid(end.nodeGuid());
        if (sw == Fabric.NONE || !fabric.isSwitch(sw) || end.portNum() > fabric.numPorts(sw)) {
            return false;
        }
        int peer = fabric.peer(fabric.port(sw, end.portNum()));
        return peer != Fabric.NONE && fabric.nodePort(peer).equals(far);
    }

    private boolean ranksAll() {
        int[] strangers = IntStream.range(0, fabric.switchCount())
                .filter(sw -> !ranks.containsKey(fabric.nodeGuid(sw)))
                .toArray();
        for (int sw : strangers) {
            takeOver(sw);
        }
        int unknown = strangers.length;
        for (int before = unknown + 1; unknown > 0 && unknown < before; ) {
            before = unknown;
            unknown = 0;
            for (int sw : strangers) {
                unknown += ranks.containsKey(fabric.nodeGuid(sw)) || rank(sw) ? 0 : 1;
            }
        }
        return unknown == 0;
    }

    /**
     * Gives a new switch the rank and cables of an absent one, if most of its cables lead to the same
     * neighbours.
     */
    private void takeOver(int sw) {
        Map<Long, Integer> votes = new HashMap<>();
        int cables = 0;
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            if (leadsToSwitch(port)) {
                cables++;
                NodePort previous = ends.get(fabric.nodePort(fabric.peer(port)));
                if (previous != null && fabric.nodeByGuid(previous.nodeGuid()) == Fabric.NONE) {
                    votes.merge(previous.nodeGuid(), 1, Integer::sum);
                }
            }
        }
        int max = cables / 2;
        votes.entrySet().stream()
                .filter(vote -> vote.getValue() > max)
                .findFirst()
                .ifPresent(vote -> rename(vote.getKey(), sw));
    }

    private void rename(long before, int sw) {
        long now = fabric.nodeGuid(sw);
        ranks.put(now, ranks.remove(before));
        ends.keySet().stream().filter(end -> end.nodeGuid() == before).toList().forEach(end -> {
            NodePort far = ends.get(end);
            cut(end);
            if (far != null && end.portNum() <= fabric.numPorts(sw)) {
                join(new NodePort(now, end.portNum()), far);
            }
        });
    }

    private boolean leadsToSwitch(int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) && fabric.nodeOf(far) != fabric.nodeOf(port);
    }

    /** Gives a new switch the rank next to its neighbours' ranks; false if no rank fits. */
    private boolean rank(int sw) {
        int least = Integer.MAX_VALUE;
        int max = UNKNOWN;
        boolean hasHosts = false;
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int far = fabric.peer(port);
            hasHosts |= far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far));
            Integer rank = leadsToSwitch(port) ? ranks.get(fabric.nodeGuid(fabric.nodeOf(far))) : null;
            if (rank != null) {
                least = Math.min(least, rank);
                max = Math.max(max, rank);
            }
        }
        int rank = UNKNOWN;
        if (max >= 0 && least == max) {
            rank = hasHosts || least == 0 ? least + 1 : least - 1;
        } else if (max == least + 2) {
            rank = least + 1;
        }
        int leaves = ranks.values().stream().mapToInt(each -> each).max().orElse(0);
        if (rank == UNKNOWN || rank > leaves) {
            return false;
        }
        ranks.put(fabric.nodeGuid(sw), rank);
        return true;
    }

    private WholeTree grown() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                if (leadsToSwitch(port) && rankAt(port) == rankAt(fabric.peer(port)) + 1) {
                    join(fabric.nodePort(port), fabric.nodePort(fabric.peer(port)));
                }
            }
        }
        Map<NodePort, NodePort> up = new HashMap<>();
        ends.forEach((end, far) -> {
            if (rankOf(end) > rankOf(far)) {
                up.put(end, far);
            }
        });
        return new WholeTree(ranks, up);
    }

    private int rankAt(int port) {
        return rankOf(fabric.nodePort(port));
    }

    private int rankOf(NodePort end) {
        return ranks.getOrDefault(end.nodeGuid(), UNKNOWN);
    }
}
