package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PlanExplainer;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/** Compute nodes leaf by leaf from left to right, and by port: the order that OpenSM dumps for those who place ranks of MPI jobs. */
final class ComputeOrder implements PlanExplainer {
    private final int[][] lids;

    /** @param tree with the places of switches */
    ComputeOrder(Subnet subnet, FatTree tree) {
        Fabric fabric = subnet.fabric();
        lids = Arrays.stream(tree.leafRow())
                .mapToObj(sw -> tree.computePorts(sw)
                        .map(portNum -> subnet.lid(fabric.peer(fabric.port(sw, portNum))))
                        .toArray())
                .toArray(int[][]::new);
        int most = Arrays.stream(lids).mapToInt(leaf -> leaf.length).max().orElse(0);
        Arrays.setAll(lids, leaf -> Arrays.copyOf(lids[leaf], most));
    }

    @Override
    public int[][] computeOrder() {
        return lids;
    }
}
