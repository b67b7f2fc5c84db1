package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.SwitchRanges;
import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A computation of the traffic of a plan from the traffic of an earlier plan that differs little. The sets of SLs equal
 * those of a walk of all in-trees, but only these parts of trees are walked:
 *
 * <ol>
 *   <li>The parts of the old tree that lead to a switch with a changed entry. They give the sets that may have lost
 *       packets (the <em>doubts</em>). The same parts of the new tree give new packets.
 *   <li>The parts upstream of a doubted hop, in every other tree that passes it, until a packet confirms the set
 *       ({@link DoubtedSls}). A set that no packet confirms is removed.
 * </ol>
 *
 * <p>Where an entry is unchanged, the SLs of its packets must be unchanged ({@link SameChannels#haveSameSls}). An
 * instance is used once.
 */
final class ChangedTraffic {
    private static final int NONE = Fabric.NONE;
    private static final int[] NO_LIDS = {};

    /** Number of trees that one task takes together: entries of neighbouring LIDs are adjacent in memory. */
    private static final int BATCH = 32;

    private final SameChannels sameChannels;

    /** [old switch][LID] egress port number. */
    private final byte[][] oldLfts;

    /** [new switch][LID] egress port number. */
    private final byte[][] newLfts;

    /** The traffic of the old plan. */
    private final SlUsage oldTraffic;

    private final ChangedColumns changes;

    /** [group of the new plan] LIDs. */
    private final int[][] members;

    private final int tasks;

    /** Number of visits of switches above which a whole walk takes less time. */
    private final long max;

    /** Number of visits of all tasks. How the tasks share the work depends on the load of the machine. */
    private final AtomicLong visits = new AtomicLong();

    /** The traffic of the new plan, while it is computed. */
    private final SlUsage newTraffic;

    /** The groups of the old plan. */
    private final DestinationGroups groups;

    private ChangedTraffic(
            SameChannels same,
            byte[][] oldLfts,
            byte[][] newLfts,
            SlUsage previous,
            DestinationGroups groups,
            ChangedColumns changes,
            int tasks) {
        this.sameChannels = same;
        this.oldLfts = oldLfts;
        this.newLfts = newLfts;
        this.oldTraffic = previous;
        this.changes = changes;
        this.groups = groups;
        this.members = changes.groups(groups);
        this.tasks = tasks;
        max = (long) members.length * newLfts.length / 4 + 1024;
        newTraffic = same.keptTraffic(previous);
    }

    /**
     * The traffic of the new plan.
     *
     * @param groups groups of the new plan
     * @param changed new indexes of switches whose sets differ from those of the old plan
     */
    record TrafficUpdate(SlUsage traffic, DestinationGroups groups, SameChannels sameChannels, BitSet changed) {}

    /**
     * Computes the traffic.
     *
     * @param previous the traffic of the old plan
     * @param groups groups of the old plan
     * @return null if too much changed, or if packets are lost
     */
    static @Nullable TrafficUpdate of(
            SameChannels same,
            byte[][] oldLfts,
            byte[][] newLfts,
            SlUsage previous,
            DestinationGroups groups,
            int tasks) {
        long max = (long) newLfts.length * groups.lidCount() / 8 + 1024;
        ChangedColumns changes = ChangedColumns.of(same, oldLfts, newLfts, max);
        if (changes == null) {
            return null;
        }
        return new ChangedTraffic(same, oldLfts, newLfts, previous, groups, changes, tasks).find();
    }

    private @Nullable TrafficUpdate find() {
        List<Work> work = work();
        AtomicInteger next = new AtomicInteger();
        List<ChangedParts> walked = run(ChangedParts::new, parts -> parts.walk(work, next));
        if (walked.stream().anyMatch(parts -> parts.hasFailed)) {
            return null;
        }
        char[][] doubts = new char[sameChannels.newChannels.switchCount][];
        BitSet changed = new BitSet();
        SwitchRanges.collect(doubts.length, tasks, (from, to) -> add(from, to, walked, doubts))
                .forEach(changed::or);
        if (!new DoubtedSls(sameChannels, newLfts, newTraffic, changes, members, doubts, tasks, max).resolve()) {
            return null;
        }
        BitSet added = (BitSet) changed.clone();
        SwitchRanges.collect(doubts.length, tasks, (from, to) -> remove(from, to, doubts, added))
                .forEach(changed::or);
        return new TrafficUpdate(
                newTraffic, new DestinationGroups(sameChannels.newChannels, members), sameChannels, changed);
    }

    /**
     * Adds new packets at switches {@code from} to {@code to - 1}, and collects the doubts there. Returns the switches
     * whose sets changed.
     */
    private BitSet add(int from, int to, List<ChangedParts> walked, char[][] doubts) {
        BitSet changed = new BitSet();
        for (int sw = from; sw < to; sw++) {
            for (ChangedParts parts : walked) {
                merge(sw, doubts, parts.removedSets);
            }
            for (ChangedParts parts : walked) {
                if (parts.addedSets[sw] != null) {
                    add(sw, parts.addedSets[sw], doubts[sw], changed);
                }
            }
        }
        return changed;
    }

    /**
     * Removes from the traffic the doubts that no packet confirmed, at switches {@code from} to {@code to - 1}. Returns
     * the switches whose sets changed.
     *
     * @param added switches whose sets were copied when packets were added
     */
    private BitSet remove(int from, int to, char[][] doubts, BitSet added) {
        BitSet changed = added.get(0, to); // the sets of these switches are copies already
        for (int sw = from; sw < to; sw++) {
            if (doubts[sw] != null) {
                remove(sw, doubts[sw], changed);
            }
        }
        return changed;
    }

    /**
     * A tree of each plan whose changed parts are walked.
     *
     * @param oldLids LIDs that the old tables forward alike; empty to walk no old tree
     * @param newLids LIDs that the new tables forward alike; empty to walk no new tree
     * @param isAll whether the whole tree was added or removed, so that all switches count as changed
     */
    private record Work(int[] oldLids, int[] newLids, boolean isAll) {}

    private List<Work> work() {
        List<Work> work = new ArrayList<>();
        for (int[] lids : members) {
            if (changes.movedLids.get(lids[0])) {
                work.add(new Work(NO_LIDS, lids, true));
            } else if (changes.removedSwitches.length > 0 || changes.isChanged(lids[0])) {
                work.add(new Work(lids, lids, false));
            }
        }
        for (int group = 0; group < groups.count(); group++) {
            int[] oldLids = Arrays.stream(groups.members(group))
                    .filter(changes.movedLids::get)
                    .toArray();
            if (oldLids.length > 0) {
                work.add(new Work(oldLids, NO_LIDS, true));
            }
        }
        return work;
    }

    private <T> List<T> run(Supplier<T> workers, Consumer<T> work) {
        List<T> all = IntStream.range(0, tasks).mapToObj(task -> workers.get()).toList();
        ForkJoinTask.invokeAll(all.stream()
                .map(worker -> ForkJoinTask.adapt(() -> work.accept(worker)))
                .toList());
        return all;
    }

    /** Adds the sets of a switch in {@code more} to those in {@code all}. */
    private static void merge(int sw, char[][] all, char[][] more) {
        if (all[sw] == null) {
            all[sw] = more[sw];
        } else if (more[sw] != null) {
            for (int i = 0; i < all[sw].length; i++) {
                all[sw][i] |= more[sw][i];
            }
        }
    }

    /** Adds new packets to the traffic of a switch, and removes the doubts that they confirm. */
    private void add(int sw, char[] come, char @Nullable [] doubts, BitSet changed) {
        for (int i = 0; i < come.length; i++) {
            if ((come[i] & ~newTraffic.slSets[sw][i]) != 0) {
                writableSets(sw, changed)[i] |= come[i];
            }
            if (doubts != null) {
                doubts[i] &= (char) ~come[i];
            }
        }
    }

    private void remove(int sw, char[] gone, BitSet changed) {
        for (int i = 0; i < gone.length; i++) {
            if ((gone[i] & newTraffic.slSets[sw][i]) != 0) {
                writableSets(sw, changed)[i] &= (char) ~gone[i];
            }
        }
    }

    /** Returns the sets of a switch for writing; copies them if the old traffic shares them. */
    private char[] writableSets(int sw, BitSet changed) {
        if (!changed.get(sw)) {
            changed.set(sw);
            if (sameChannels.keptShape.get(sw)) {
                newTraffic.slSets[sw] = newTraffic.slSets[sw].clone();
            }
        }
        return newTraffic.slSets[sw];
    }

    /** A walk of the changed parts of old and new trees. Belongs to one task. */
    private final class ChangedParts {
        /** [new switch] sets that may have lost packets, indexed as in the new traffic; null without such sets. */
        private final char[][] removedSets = new char[sameChannels.newChannels.switchCount][];

        /** [new switch] sets of new packets, indexed as in the new traffic; null without new packets. */
        private final char[][] addedSets = new char[sameChannels.newChannels.switchCount][];

        private final TreePart oldPart = new TreePart(sameChannels.oldChannels, oldLfts);
        private final TreePart newPart = new TreePart(sameChannels.newChannels, newLfts);
        private final int[] allOldSwitches =
                IntStream.range(0, sameChannels.oldChannels.switchCount).toArray();
        private final int[] allNewSwitches =
                IntStream.range(0, sameChannels.newChannels.switchCount).toArray();
        private boolean hasFailed;

        /** Walks trees of a list until all are walked. {@code next} is the next index, which all tasks share. */
        void walk(List<Work> work, AtomicInteger next) {
            int batch = Math.max(1, Math.min(BATCH, work.size() / (8 * tasks)));
            for (int from = next.getAndAdd(batch); from < work.size() && !hasFailed; from = next.getAndAdd(batch)) {
                for (int i = from; i < Math.min(work.size(), from + batch) && !hasFailed; i++) {
                    walk(work.get(i));
                }
            }
        }

        private void walk(Work work) {
            int[] switches = work.isAll ? allNewSwitches : changes.switchesOf(work.newLids[0]);
            long visitedBefore = visited();
            if (work.oldLids.length > 0) {
                walkOldTree(work.oldLids, work.isAll ? allOldSwitches : oldIndexes(switches));
            }
            if (work.newLids.length > 0) {
                walkNewTree(work, switches);
            }
            hasFailed |= visits.addAndGet(visited() - visitedBefore) > max;
        }

        private long visited() {
            return oldPart.visited() + newPart.visited();
        }

        /** Returns the old indexes of some switches, given by new index, and of all removed switches. */
        private int[] oldIndexes(int[] switches) {
            int[] old = Arrays.copyOf(changes.removedSwitches, changes.removedSwitches.length + switches.length);
            int count = changes.removedSwitches.length;
            for (int sw : switches) {
                if (sameChannels.oldSwitch[sw] != NONE) {
                    old[count++] = sameChannels.oldSwitch[sw];
                }
            }
            return Arrays.copyOf(old, count);
        }

        /** Walks the old tree, and collects the sets that may have lost packets. */
        private void walkOldTree(int[] lids, int[] switches) {
            oldPart.begin(lids[0]);
            for (int sw : switches) {
                oldPart.addUpstream(sw);
            }
            oldPart.addDownstream();
            oldPart.walk(lids, (sw, ingress, out, slot, sls) -> {
                if (isOfChange(oldPart, sw, out)) {
                    recordOld(sw, ingress, out, slot, sls);
                }
            });
        }

        /**
         * Walks the new tree, and collects new packets. Switches on old paths are added as sources, because their own
         * packets often confirm a doubt there.
         */
        private void walkNewTree(Work work, int[] switches) {
            newPart.begin(work.newLids[0]);
            for (int sw : switches) {
                newPart.addUpstream(sw);
            }
            for (int i = 0; work.oldLids.length > 0 && i < oldPart.count(); i++) {
                int sw = sameChannels.newSwitch[oldPart.switchAt(i)];
                if (sw != NONE) {
                    newPart.addSource(sw);
                }
            }
            newPart.addDownstream();
            hasFailed |= !newPart.walk(work.newLids, (sw, ingress, out, slot, sls) -> {
                if (removedSets[sw] != null || isOfChange(newPart, sw, out)) {
                    newTraffic.sets(addedSets, sw)[newTraffic.index(sw, ingress, out, slot)] |= sls;
                }
            });
        }

        /**
         * Checks whether a set of SLs at a hop may differ between the plans: the hop is at or after a switch with a
         * changed entry, or leads to such a switch (which may change the slot of the set).
         */
        private boolean isOfChange(TreePart part, int sw, int out) {
            Channels channels = part.channels;
            return part.isBehindRoot(sw)
                    || (out < channels.degree(sw) && part.isRoot(channels.linkTo[channels.firstLink[sw] + out]));
        }

        /** Records packets of the old tree as a doubt. Switch, class, out and slot are those of the old plan. */
        private void recordOld(int sw, int ingress, int out, int slot, char sls) {
            int newSw = sameChannels.newSwitch[sw];
            if (newSw == NONE) {
                return;
            }
            Channels oldChannels = sameChannels.oldChannels;
            int global = oldChannels.firstOut[sw] + out;
            int index = sameChannels.keptShape.get(newSw)
                    ? oldTraffic.offset[global]
                            + (ingress - oldChannels.firstClass[sw]) * oldTraffic.slots[global]
                            + slot
                    : sameChannels.newIndex(oldTraffic, newTraffic, sw, ingress, out, slot);
            if (index != NONE) {
                newTraffic.sets(removedSets, newSw)[index] |= sls;
            }
        }
    }
}
