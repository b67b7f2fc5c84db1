package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.balance.Ranks;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A multicast tree in which packets go up again after a hop down at as few switches as possible. If they did so
 * at leaves of two groups (pods), unicast could lead from each group to the other, and a credit loop could
 * close. An object is used once.
 */
final class GroupTree {
    private final Fabric fabric;
    private final Ranks ranks;
    private final int[] parent;
    private final int[][] cables;
    private final int root;

    /** The switches of the tree, in the order in which they were attached. */
    private final int[] members;

    private int count = 1;

    private GroupTree(Fabric fabric, Ranks ranks, int root) {
        this.fabric = fabric;
        this.ranks = ranks;
        this.root = root;
        parent = new int[fabric.switchCount()];
        cables = new int[parent.length][0];
        Arrays.fill(parent, Fabric.NONE);
        members = new int[parent.length];
        members[0] = root;
    }

    /**
     * Returns the tree from the first root that has a multicast table.
     *
     * @param roots switch indexes, best first
     * @return tree; empty if no root has a multicast table
     */
    static Optional<MulticastTree> of(Fabric fabric, Ranks ranks, int[] roots) {
        return Arrays.stream(roots)
                .filter(fabric::hasMulticast)
                .limit(1)
                .mapToObj(root -> new GroupTree(fabric, ranks, root).grow())
                .findFirst();
    }

    private MulticastTree grow() {
        // Each switch is first visited without a turn. A switch turns packets only if no such visit remains.
        int spread = 0;
        for (int turns = 0; turns < count; turns++) {
            while (spread < count) {
                attach(members[spread++], false);
            }
            attach(members[turns], true);
        }
        return new MulticastTree(fabric, root, parent, cables);
    }

    /**
     * Attaches the neighbours of a switch that are not yet in the tree.
     *
     * @param mayTurn true if packets that came down to the switch may go up again
     */
    private void attach(int sw, boolean mayTurn) {
        boolean isFree = mayTurn || sw == root || ranks.of(parent[sw]) > ranks.of(sw);
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int next = fabric.switchBehind(fabric.port(sw, portNum));
            boolean isOutside =
                    next != Fabric.NONE && next != root && parent[next] == Fabric.NONE && fabric.hasMulticast(next);
            if (isOutside && (isFree || ranks.of(next) > ranks.of(sw))) {
                parent[next] = sw;
                cables[next] = IntStream.rangeClosed(portNum, fabric.numPorts(sw))
                        .filter(parallelPort -> fabric.switchBehind(fabric.port(sw, parallelPort)) == next)
                        .toArray();
                members[count++] = next;
            }
        }
    }
}
