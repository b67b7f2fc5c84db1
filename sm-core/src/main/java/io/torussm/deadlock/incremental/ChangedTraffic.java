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

    private final SameChannels same;

    /** [old switch][LID] egress port number. */
    private final byte[][] oldLfts;

    /** [new switch][LID] egress port number. */
    private final byte[][] newLfts;

    /** The traffic of the old plan. */
    private final SlUsage before;

    private final ChangedColumns changes;

    /** [group of the new plan] LIDs. */
    private final int[][] members;

    private final int tasks;

    /** Number of visits of switches above which a whole walk takes less time. */
    private final long max;

    /** Number of visits of all tasks. How the tasks share the work depends on the load of the machine. */
    private final AtomicLong visits = new AtomicLong();

    /** The traffic of the new plan, while it is computed. */
    private final SlUsage now;

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
        this.same = same;
        this.oldLfts = oldLfts;
        this.newLfts = newLfts;
        this.before = previous;
        this.changes = changes;
        this.groups = groups;
        this.members = changes.groups(groups);
        this.tasks = tasks;
        max = (long) members.length * newLfts.length / 4 + 1024;
        now = same.kept(previous);
    }

    /**
     * The traffic of the new plan.
     *
     * @param groups groups of the new plan
     * @param changed new indexes of switches whose sets differ from those of the old plan
     */
    record TrafficUpdate(SlUsage traffic, DestinationGroups groups, SameChannels same, BitSet changed) {}

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
        char[][] doubts = new char[same.newChannels.switchCount][];
        BitSet changed = new BitSet();
        SwitchRanges.each(doubts.length, tasks, (from, to) -> add(from, to, walked, doubts))
                .forEach(changed::or);
        if (!new DoubtedSls(same, newLfts, now, changes, members, doubts, tasks, max).resolve()) {
            return null;
        }
        BitSet added = (BitSet) changed.clone();
        SwitchRanges.each(doubts.length, tasks, (from, to) -> remove(from, to, doubts, added))
                .forEach(changed::or);
        return new TrafficUpdate(now, new DestinationGroups(same.newChannels, members), same, changed);
    }

    /**
     * Adds new packets at switches {@code from} to {@code to - 1}, and collects the doubts there. Returns the switches
     * whose sets changed.
     */
    private BitSet add(int from, int to, List<ChangedParts> walked, char[][] doubts) {
        BitSet changed = new BitSet();
        for (int sw = from; sw < to; sw++) {
            for (ChangedParts parts : walked) {
                merge(sw, doubts, parts.gone);
            }
            for (ChangedParts parts : walked) {
                if (parts.come[sw] != null) {
                    add(sw, parts.come[sw], doubts[sw], changed);
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
     * @param old LIDs that the old tables forward alike; empty to walk no old tree
     * @param now LIDs that the new tables forward alike; empty to walk no new tree
     * @param isAll whether the whole tree was added or removed, so that all switches count as changed
     */
    private record Work(int[] old, int[] now, boolean isAll) {}

    private List<Work> work() {
        List<Work> work = new ArrayList<>();
        for (int[] lids : members) {
            if (changes.moved.get(lids[0])) {
                work.add(new Work(NO_LIDS, lids, true));
            } else if (changes.gone.length > 0 || changes.isChanged(lids[0])) {
                work.add(new Work(lids, lids, false));
            }
        }
        for (int group = 0; group < groups.count(); group++) {
            int[] oldLids = Arrays.stream(groups.members(group))
                    .filter(changes.moved::get)
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
            if ((come[i] & ~now.seen[sw][i]) != 0) {
                own(sw, changed)[i] |= come[i];
            }
            if (doubts != null) {
                doubts[i] &= (char) ~come[i];
            }
        }
    }

    private void remove(int sw, char[] gone, BitSet changed) {
        for (int i = 0; i < gone.length; i++) {
            if ((gone[i] & now.seen[sw][i]) != 0) {
                own(sw, changed)[i] &= (char) ~gone[i];
            }
        }
    }

    /** Returns the sets of a switch for writing; copies them if the old traffic shares them. */
    private char[] own(int sw, BitSet changed) {
        if (!changed.get(sw)) {
            changed.set(sw);
            if (same.keptShape.get(sw)) {
                now.seen[sw] = now.seen[sw].clone();
            }
        }
        return now.seen[sw];
    }

    /** A walk of the changed parts of old and new trees. Belongs to one task. */
    private final class ChangedParts {
        /** [new switch] sets that may have lost packets, indexed as in the new traffic; null without such sets. */
        private final char[][] gone = new char[same.newChannels.switchCount][];

        /** [new switch] sets of new packets, indexed as in the new traffic; null without new packets. */
        private final char[][] come = new char[same.newChannels.switchCount][];

        private final TreePart oldPart = new TreePart(same.oldChannels, oldLfts);
        private final TreePart newPart = new TreePart(same.newChannels, newLfts);
        private final int[] everyOld =
                IntStream.range(0, same.oldChannels.switchCount).toArray();
        private final int[] everyNew =
                IntStream.range(0, same.newChannels.switchCount).toArray();
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
            int[] switches = work.isAll ? everyNew : changes.at(work.now[0]);
            long visitedBefore = visited();
            if (work.old.length > 0) {
                old(work.old, work.isAll ? everyOld : before(switches));
            }
            if (work.now.length > 0) {
                now(work, switches);
            }
            hasFailed |= visits.addAndGet(visited() - visitedBefore) > max;
        }

        private long visited() {
            return oldPart.visited() + newPart.visited();
        }

        /** Returns the old indexes of some switches, given by new index, and of all removed switches. */
        private int[] before(int[] switches) {
            int[] old = Arrays.copyOf(changes.gone, changes.gone.length + switches.length);
            int count = changes.gone.length;
            for (int sw : switches) {
                if (same.oldSwitch[sw] != NONE) {
                    old[count++] = same.oldSwitch[sw];
                }
            }
            return Arrays.copyOf(old, count);
        }

        /** Walks the old tree, and collects the sets that may have lost packets. */
        private void old(int[] lids, int[] switches) {
            oldPart.begin(lids[0]);
            for (int sw : switches) {
                oldPart.addUpstream(sw);
            }
            oldPart.addDownstream();
            oldPart.walk(lids, (sw, ingress, out, slot, sls) -> {
                if (isOfChange(oldPart, sw, out)) {
                    noteOld(sw, ingress, out, slot, sls);
                }
            });
        }

        /**
         * Walks the new tree, and collects new packets. Switches on old paths are added as sources, because their own
         * packets often confirm a doubt there.
         */
        private void now(Work work, int[] switches) {
            newPart.begin(work.now[0]);
            for (int sw : switches) {
                newPart.addUpstream(sw);
            }
            for (int i = 0; work.old.length > 0 && i < oldPart.count(); i++) {
                int sw = same.newSwitch[oldPart.at(i)];
                if (sw != NONE) {
                    newPart.addSource(sw);
                }
            }
            newPart.addDownstream();
            hasFailed |= !newPart.walk(work.now, (sw, ingress, out, slot, sls) -> {
                if (gone[sw] != null || isOfChange(newPart, sw, out)) {
                    now.sets(come, sw)[now.index(sw, ingress, out, slot)] |= sls;
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
        private void noteOld(int sw, int ingress, int out, int slot, char sls) {
            int newSw = same.newSwitch[sw];
            if (newSw == NONE) {
                return;
            }
            Channels oldChannels = same.oldChannels;
            int global = oldChannels.firstOut[sw] + out;
            int index = same.keptShape.get(newSw)
                    ? before.offset[global] + (ingress - oldChannels.firstClass[sw]) * before.slots[global] + slot
                    : same.indexNow(before, now, sw, ingress, out, slot);
            if (index != NONE) {
                now.sets(gone, newSw)[index] |= sls;
            }
        }
    }
}
