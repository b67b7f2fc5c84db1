package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.balance.LegalHops.LinkDirection;
import io.torussm.routing.balance.UpDownReasons;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.WholeTree;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a routed fat tree: the direction of each hop, and the order of compute nodes. The order is
 * leaf by leaf from left to right, then by port. OpenSM dumps this order for the placement of MPI ranks.
 */
final class TreeExplainer implements PlanExplainer {
    /** The LIDs of compute nodes, see {@link #order}. */
    private final int[][] lids;

    private final UpDownReasons reasons;
    private final @Nullable WholeTree wholeTree;

    /**
     * Explains the tables of a tree.
     *
     * @param tree tree with the places of switches
     * @param order LIDs of compute nodes, see {@link #order}
     * @param wholeTree tree to remember; null if the operator names the roots
     */
    TreeExplainer(Subnet subnet, FatTree tree, int[][] order, @Nullable WholeTree wholeTree) {
        Fabric fabric = subnet.fabric();
        lids = order;
        this.wholeTree = wholeTree;
        reasons = new UpDownReasons(
                subnet,
                tree.links,
                (from, to) -> way(tree.ranks.of(from), tree.ranks.of(to)),
                tree.ranks::of,
                (sw, out, to) -> choice(tree, sw, tree.links.farSwitch(fabric.port(sw, out))));
    }

    /**
     * Returns the LIDs {@code [leaf][i]} of compute nodes. All rows have the same length and are padded with 0.
     *
     * @param tree tree with the places of switches
     * @param topLid highest LID of a present node
     */
    static int[][] order(Subnet subnet, FatTree tree, int topLid) {
        Fabric fabric = subnet.fabric();
        int[][] lids = Arrays.stream(tree.leafRow())
                .mapToObj(sw -> tree.computePorts(sw)
                        .map(portNum -> subnet.lid(fabric.peer(fabric.port(sw, portNum))))
                        .filter(lid -> lid <= topLid)
                        .toArray())
                .toArray(int[][]::new);
        int max = Arrays.stream(lids).mapToInt(leaf -> leaf.length).max().orElse(0);
        return Arrays.stream(lids).map(leaf -> Arrays.copyOf(leaf, max)).toArray(int[][]::new);
    }

    private static LinkDirection way(int from, int to) {
        return to < from ? LinkDirection.UP : to > from ? LinkDirection.DOWN : LinkDirection.LEVEL;
    }

    private static String choice(FatTree tree, int sw, int next) {
        boolean isUp = tree.ranks.of(next) < tree.ranks.of(sw);
        int cables = Arrays.stream(isUp ? tree.up[sw] : tree.down[sw])
                .filter(group -> isUp || group.peer == next)
                .mapToInt(group -> group.ports.length)
                .sum();
        return cables < 2
                ? "the only such cable"
                : "of " + cables + (isUp ? " cables up" : " cables to that switch") + " the one with the fewest paths";
    }

    @Override
    public String explainHop(int sw, int in, int out, int dlid) {
        return reasons.explainHop(sw, in, out, dlid);
    }

    @Override
    public int[][] computeOrder() {
        return lids;
    }

    @Override
    public Optional<WholeTree> wholeTree() {
        return Optional.ofNullable(wholeTree);
    }
}
