package io.torussm.routing.ftree;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Ranks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * The test for an even tree: all switches of a rank have the same numbers of neighbours above and below, and of
 * cables to them, as the first switch of the rank. OpenSM requires this if no file names the roots.
 */
final class TreeEvenness {
    private final FatTree tree;
    /** By rank: the first switch, with which the others are compared. */
    private final int[] first;

    private final List<Finding> findings = new ArrayList<>();

    private TreeEvenness(FatTree tree) {
        this.tree = tree;
        first = new int[tree.leafRank + 1];
        Arrays.fill(first, Fabric.NONE);
    }

    /** Returns an error that names the first two switches that differ; empty if the tree is even. */
    static List<Finding> differences(FatTree tree) {
        TreeEvenness shape = new TreeEvenness(tree);
        for (int sw : tree.links.order()) {
            int rank = tree.ranks.of(sw);
            boolean isRanked = rank != Ranks.UNREACHABLE && rank <= tree.leafRank;
            if (isRanked && shape.first[rank] == Fabric.NONE) {
                shape.first[rank] = sw;
            } else if (isRanked && shape.findings.isEmpty()) {
                shape.compare(sw, shape.first[rank], rank);
            }
        }
        return shape.findings;
    }

    private void compare(int sw, int model, int rank) {
        compare(sw, model, "neighbours above", at -> tree.up[at].length);
        if (tree.up[model].length > 0) {
            int cables = tree.up[model][0].ports.length;
            for (PortGroup group : tree.up[sw]) {
                if (findings.isEmpty() && group.ports.length != cables) {
                    addDifference(sw, group.ports.length, model, cables, "cables to a switch above");
                }
            }
        }
        if (rank < tree.leafRank) {
            compare(sw, model, "neighbours below", at -> tree.down[at].length + tree.hostPorts[at].length);
            compare(
                    sw,
                    model,
                    "cables to the first switch below",
                    at -> tree.down[at].length == 0 ? 1 : tree.down[at][0].ports.length);
        }
    }

    private void compare(int sw, int model, String noun, IntUnaryOperator count) {
        if (findings.isEmpty() && count.applyAsInt(sw) != count.applyAsInt(model)) {
            addDifference(sw, count.applyAsInt(sw), model, count.applyAsInt(model), noun);
        }
    }

    private void addDifference(int sw, int count, int model, int other, String noun) {
        findings.add(SmEvent.ROUTING_ERROR.finding(
                "ftree: no even fat tree: ",
                tree.fabric.device(sw),
                " has " + count + " " + noun + ", ",
                tree.fabric.device(model),
                " of the same rank has " + other + "; mend that, or name the switches at the top in root_guid_file"));
    }
}
