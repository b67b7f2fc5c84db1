package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.balance.Ranks;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A tree for multicast in which packets that came down go up again at as few switches as can be. If they did
 * so at leaves of two pods, unicast could lead from each pod to the other, and a credit loop could close.
 * One use.
 */
final class GroupTree {
    private final Fabric fabric;
    private final Ranks ranks;
    private final int[] parent;
    private final int[][] cables;
    private final int root;

    /** Switches of the tree, in the order in which they came to it. */
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
     * Grows the tree from the first of some roots that has a multicast table.
     *
     * @return empty if none has
     */
    static Optional<MulticastTree> of(Fabric fabric, Ranks ranks, int[] roots) {
        return Arrays.stream(roots)
                .filter(fabric::hasMulticast)
                .limit(1)
                .mapToObj(root -> new GroupTree(fabric, ranks, root).grown())
                .findFirst();
    }

    private MulticastTree grown() {
        int spread = 0;
        for (int turned = 0; turned < count; turned++) {
            while (spread < count) {
                attach(members[spread++], false);
            }
            attach(members[turned], true);
        }
        return new MulticastTree(fabric, root, parent, cables);
    }

    /** Attaches neighbours of a switch; if its packets came down, those above it only if it may turn them up. */
    private void attach(int sw, boolean mayTurn) {
        boolean isFree = mayTurn || sw == root || ranks.of(parent[sw]) > ranks.of(sw);
        for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
            int next = fabric.switchBehind(fabric.port(sw, portNum));
            boolean isOutside =
                    next != Fabric.NONE && next != root && parent[next] == Fabric.NONE && fabric.hasMulticast(next);
            if (isOutside && (isFree || ranks.of(next) > ranks.of(sw))) {
                parent[next] = sw;
                cables[next] = IntStream.rangeClosed(portNum, fabric.numPorts(sw))
                        .filter(each -> fabric.switchBehind(fabric.port(sw, each)) == next)
                        .toArray();
                members[count++] = next;
            }
        }
    }
}
