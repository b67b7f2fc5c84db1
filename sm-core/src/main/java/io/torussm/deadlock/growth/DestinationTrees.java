package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DestinationGroups;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The trees of routes to all groups of destinations. Tables are read in blocks of destinations, because entries of
 * neighbouring LIDs share a cache line, but entries of neighbouring switches do not.
 */
final class DestinationTrees {
    /** Number of destinations whose entries are copied together: those of one LFT block share a cache line. */
    private static final int BLOCK = 64;

    private final Channels channels;
    private final byte[][] lfts;
    private final DestinationGroups groups;

    DestinationTrees(Channels channels, byte[][] lfts, DestinationGroups groups) {
        this.channels = channels;
        this.lfts = lfts;
        this.groups = groups;
    }

    /** A visitor of the trees of one task. */
    interface Visitor {
        /**
         * Visits a tree, which the visitor may change.
         *
         * @param group index of the group of destinations
         * @param tree memory that the next group reuses
         */
        void visit(int group, DestinationTree tree);

        /** Ends after the last tree of the task. */
        void end();
    }

    /**
     * Visits each tree once. A visitor may write table entries of the current group.
     *
     * @param tasks number of parallel parts, at least 1
     * @param visitors creates the visitor of each part
     */
    void visit(int tasks, Supplier<? extends Visitor> visitors) {
        AtomicInteger next = new AtomicInteger();
        ForkJoinTask.invokeAll(IntStream.range(0, tasks)
                .mapToObj(task -> ForkJoinTask.adapt(() -> visit(next, visitors.get())))
                .toList());
    }

    private void visit(AtomicInteger next, Visitor visitor) {
        int switches = lfts.length;
        DestinationTree tree = new DestinationTree(channels);
        byte[] entries = new byte[BLOCK * switches];
        int[] lids = new int[BLOCK];
        for (int first = next.getAndAdd(BLOCK); first < groups.count(); first = next.getAndAdd(BLOCK)) {
            int count = Math.min(BLOCK, groups.count() - first);
            for (int i = 0; i < count; i++) {
                lids[i] = groups.members(first + i)[0];
            }
            for (int sw = 0; sw < switches; sw++) {
                byte[] lft = lfts[sw];
                for (int i = 0; i < count; i++) {
                    entries[i * switches + sw] = lft[lids[i]];
                }
            }
            for (int i = 0; i < count; i++) {
                tree.read(entries, i * switches, groups.destination(first + i));
                visitor.visit(first + i, tree);
            }
        }
        visitor.end();
    }
}
