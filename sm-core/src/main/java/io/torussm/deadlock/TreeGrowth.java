package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Grows a spanning tree for multicast that closes no credit loop together with unicast, switch by switch from the root,
 * nearest first. A switch is attached by an edge only if no dependency that the edge brings about closes a cycle. An edge
 * that was turned down once stays so, since more edges only mean more dependencies: each is tried once. Switches without a
 * multicast table have no part in it, nor what is behind them.
 */
final class TreeGrowth {
    private final ChannelDependencyGraph unicast;
    private final Channels channels;
    private final TreeSlUsage traffic;
    private final GrowingOrder order;
    private final int root;
    private final int[] parent;
    private final int[][] cables;

    private TreeGrowth(ChannelDependencyGraph unicast, int[] numbering, int root, int slMask) {
        this.unicast = unicast;
        this.root = root;
        channels = unicast.channels;
        traffic = new TreeSlUsage(channels, slMask);
        order = new GrowingOrder(unicast, numbering.clone());
        parent = new int[channels.switchCount];
        cables = new int[channels.switchCount][0];
        Arrays.fill(parent, Fabric.NONE);
    }

    /**
     * A tree over the links that unicast uses.
     *
     * @param numbering of the graph
     * @param slMask SLs that groups may have (bit n: SL n)
     * @return empty if some switch that the root has paths to, and that others with multicast lead to, could not be attached
     */
    static Optional<MulticastTree> grow(ChannelDependencyGraph unicast, int[] numbering, int root, int slMask) {
        return new TreeGrowth(unicast, numbering, root, slMask).grow();
    }

    private Optional<MulticastTree> grow() {
        visit((sw, to) -> to != root && parent[to] == Fabric.NONE && attach(sw, to));
        BitSet due = new BitSet();
        visit((sw, to) -> {
            boolean isNew = !due.get(to);
            due.set(to);
            return isNew;
        });
        for (int lid = 1; lid <= channels.subnet.topLid(); lid++) {
            int sw = channels.subnet.switchOfLid(lid);
            boolean isOutside = sw != Fabric.NONE && sw != root && parent[sw] == Fabric.NONE && due.get(sw);
            if (isOutside && channels.plan.slMask(root, lid) != 0) {
                return Optional.empty();
            }
        }
        return Optional.of(new MulticastTree(channels.fabric, root, parent, cables));
    }

    private interface Step {
        /** Whether the way goes on from a switch to its neighbour. */
        boolean leads(int sw, int to);
    }

    /** From the root over switches with multicast, nearest first. */
    private void visit(Step step) {
        int[] queue = new int[channels.switchCount + 1];
        int tail = 1;
        queue[0] = root;
        for (int head = 0; head < tail; head++) {
            int sw = queue[head];
            for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
                int to = channels.linkTo[link];
                if (channels.fabric.hasMulticast(to) && step.leads(sw, to)) {
                    queue[tail++] = to;
                }
            }
        }
    }

    private boolean attach(int sw, int to) {
        int[] ports = IntStream.range(channels.firstLink[sw], channels.firstLink[sw + 1])
                .filter(link -> channels.linkTo[link] == to && carriesBothWays(link))
                .map(channels::linkPort)
                .toArray();
        traffic.add(sw, to, ports);
        int mark = order.mark();
        if (ports.length == 0 || !isSafe(sw)) {
            order.undo(mark);
            traffic.remove(sw, to);
            return false;
        }
        parent[to] = sw;
        cables[to] = IntStream.of(ports).map(channels.fabric::portNum).toArray();
        return true;
    }

    private boolean carriesBothWays(int link) {
        int far = channels.fabric.peer(channels.linkPort(link));
        return unicast.carries(link)
                && unicast.carries(channels.link(channels.linkTo[link], channels.fabric.portNum(far)));
    }

    /**
     * Adds what follows from a new edge of a switch: on the links out of it, which get packets from one more edge, and on
     * those into it, from which packets go out by one more. The lower end has no other edge yet.
     */
    private boolean isSafe(int sw) {
        for (int link : traffic.links(sw)) {
            int neighbour = channels.linkTo[link];
            if (!traffic.dependencies(sw, link, order::add)) {
                return false;
            }
            for (int back : traffic.links(neighbour)) {
                if (channels.linkTo[back] == sw && !traffic.dependencies(neighbour, back, order::add)) {
                    return false;
                }
            }
        }
        return true;
    }
}
