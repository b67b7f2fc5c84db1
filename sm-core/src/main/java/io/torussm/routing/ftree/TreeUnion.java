package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.subnet.WholeTree;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The union of the previous tree and the additions of a fabric. A new switch gets the rank that its cables
 * suggest. A switch that replaces another switch gets the rank and the cables of that switch. A moved cable is
 * at its new ports. Cables that do not lead from a rank to the next are left out.
 */
final class TreeUnion {
    private static final int UNKNOWN = -1;

    private final Fabric fabric;
    /** Ranks by node GUID, 0 at the top. */
    private final Map<Long, Integer> ranks;

    /** The other end of each cable, by either end. */
    private final Map<NodePort, NodePort> ends = new HashMap<>();

    private TreeUnion(WholeTree keptTree, Fabric fabric) {
        this.fabric = fabric;
        ranks = new HashMap<>(keptTree.ranks());
        keptTree.cables().forEach(this::join);
    }

    /**
     * Returns the union of a kept tree and a fabric.
     *
     * @return union; null if the rank of a switch is unknown, or the fabric is another one: it has fewer than half
     *     of the cables of the tree, and these are fewer than half of its own cables
     */
    static @Nullable WholeTree of(WholeTree keptTree, Fabric fabric) {
        TreeUnion union = new TreeUnion(keptTree, fabric);
        return union.isOtherFabric(keptTree) || !union.assignRanks() ? null : union.grow();
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
     * Checks whether the fabric is another one than that of the tree. A part that was cut off has few cables of the
     * tree, but almost no others.
     */
    private boolean isOtherFabric(WholeTree keptTree) {
        long present = keptTree.cables().entrySet().stream()
                .filter(cable -> isPresent(cable.getKey(), cable.getValue()))
                .count();
        long own = IntStream.range(0, fabric.portCount())
                        .filter(port -> fabric.isSwitch(fabric.nodeOf(port)) && leadsToSwitch(port))
                        .count()
                / 2;
        return 2 * present < Math.min(keptTree.cables().size(), own);
    }

    private boolean isPresent(NodePort end, NodePort far) {
        int sw = fabric.nodeByGuid(end.nodeGuid());
        if (sw == Fabric.NONE || !fabric.isSwitch(sw) || end.portNum() > fabric.numPorts(sw)) {
            return false;
        }
        int peer = fabric.peer(fabric.port(sw, end.portNum()));
        return peer != Fabric.NONE && fabric.nodePort(peer).equals(far);
    }

    /**
     * Assigns a rank to each new switch, in rounds, since a new switch may be next to another new switch. Returns
     * false if a switch stays without a rank.
     */
    private boolean assignRanks() {
        int[] newSwitches = IntStream.range(0, fabric.switchCount())
                .filter(sw -> !ranks.containsKey(fabric.nodeGuid(sw)))
                .toArray();
        for (int sw : newSwitches) {
            takeOver(sw);
        }
        int unknown = newSwitches.length;
        for (int previousUnknown = unknown + 1; unknown > 0 && unknown < previousUnknown; ) {
            previousUnknown = unknown;
            unknown = 0;
            for (int sw : newSwitches) {
                unknown += ranks.containsKey(fabric.nodeGuid(sw)) || assignRank(sw) ? 0 : 1;
            }
        }
        return unknown == 0;
    }

    /**
     * Assigns to a new switch the rank and the cables of an absent switch that it replaces. This requires that more
     * than half of its cables lead to ports that had a cable to the absent switch.
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
        int half = cables / 2;
        votes.entrySet().stream()
                .filter(vote -> vote.getValue() > half)
                .findFirst()
                .ifPresent(vote -> rename(vote.getKey(), sw));
    }

    private void rename(long oldGuid, int sw) {
        long newGuid = fabric.nodeGuid(sw);
        ranks.put(newGuid, ranks.remove(oldGuid));
        ends.keySet().stream().filter(end -> end.nodeGuid() == oldGuid).toList().forEach(end -> {
            NodePort far = ends.get(end);
            cut(end);
            if (far != null && end.portNum() <= fabric.numPorts(sw)) {
                join(new NodePort(newGuid, end.portNum()), far);
            }
        });
    }

    private boolean leadsToSwitch(int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far)) && fabric.nodeOf(far) != fabric.nodeOf(port);
    }

    /** Assigns to a new switch the rank that fits the ranks of its neighbours. Returns false if no rank fits. */
    private boolean assignRank(int sw) {
        int minRank = Integer.MAX_VALUE;
        int maxRank = UNKNOWN;
        boolean hasHosts = false;
        for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
            int far = fabric.peer(port);
            hasHosts |= far != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(far));
            Integer rank = leadsToSwitch(port) ? ranks.get(fabric.nodeGuid(fabric.nodeOf(far))) : null;
            if (rank != null) {
                minRank = Math.min(minRank, rank);
                maxRank = Math.max(maxRank, rank);
            }
        }
        int rank = UNKNOWN;
        if (maxRank >= 0 && minRank == maxRank) {
            rank = hasHosts || minRank == 0 ? minRank + 1 : minRank - 1;
        } else if (maxRank == minRank + 2) {
            rank = minRank + 1;
        }
        int leaves =
                ranks.values().stream().mapToInt(knownRank -> knownRank).max().orElse(0);
        if (rank == UNKNOWN || rank > leaves) {
            return false;
        }
        ranks.put(fabric.nodeGuid(sw), rank);
        return true;
    }

    private WholeTree grow() {
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
