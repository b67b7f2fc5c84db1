package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What travels where under a plan, worked out from what did under one before that differs little; the same, set by set, as if all
 * in-trees were walked. Of the trees only the parts are walked that lead to a switch whose entry changes:
 *
 * <ol>
 *   <li>In the old tree, which shows what may have gone: the <em>doubts</em>. In the new one, which shows what has come.
 *   <li>Every other tree that passes a doubt, from there up, until some packet resolves it. What no packet resolves is gone.
 * </ol>
 *
 * <p>SLs must be those of before. One use.
 */
final class ChangedTraffic {
    private static final int NONE = Fabric.NONE;
    private static final int[] NO_LIDS = {};

    /** Groups whose trees are asked first, since they are nearest to a change, and how many at a time. */
    private static final int NEAREST = 64;

    private static final int AT_ONCE = 8;

    /** While more switches than this are doubtful, the nearest groups are asked. */
    private static final int FEW = 32;

    /** Groups that are asked at a time later on. */
    private static final int BATCH = 512;

    private final SameChannels same;
    private final byte[][] oldLfts;
    private final byte[][] newLfts;
    private final SlUsage before;
    private final ChangedColumns changes;
    private final int[][] members;
    private final int tasks;

    /** Switches to look at before it takes less time to walk everything. */
    private final long most;

    private final SlUsage now;

    private final DestinationGroups groups;

    private ChangedTraffic(
            SameChannels same,
            byte[][] oldLfts,
            byte[][] newLfts,
            SlUsage before,
            DestinationGroups groups,
            ChangedColumns changes,
            int tasks) {
        this.same = same;
        this.oldLfts = oldLfts;
        this.newLfts = newLfts;
        this.before = before;
        this.changes = changes;
        this.groups = groups;
        this.members = changes.groups(groups);
        this.tasks = tasks;
        most = (long) members.length * newLfts.length / 4 + 1024;
        now = new SlUsage(same.is, before, same);
    }

    /**
     * What was worked out.
     *
     * @param changed switches whose sets are not those of before
     */
    record Result(SlUsage traffic, DestinationGroups groups, SameChannels same, BitSet changed) {}

    /**
     * Works it out.
     *
     * @param before what travels where under the plan before
     * @param groups of the plan before
     * @return null if too much changed for that, or if packets get lost
     */
    static @Nullable Result of(
            SameChannels same,
            byte[][] oldLfts,
            byte[][] newLfts,
            SlUsage before,
            DestinationGroups groups,
            int tasks) {
        long most = (long) newLfts.length * groups.lidCount() / 8 + 1024;
        ChangedColumns changes = ChangedColumns.of(same, oldLfts, newLfts, most);
        if (changes == null) {
            return null;
        }
        return new ChangedTraffic(same, oldLfts, newLfts, before, groups, changes, tasks).find();
    }

    private @Nullable Result find() {
        List<Work> work = work();
        AtomicInteger next = new AtomicInteger();
        List<ChangedParts> walked = run(ChangedParts::new, parts -> parts.walk(work, next));
        if (walked.stream().anyMatch(parts -> parts.hasFailed)) {
            return null;
        }
        char[][] doubts = new char[same.is.switchCount][];
        walked.forEach(parts -> merge(doubts, parts.gone));
        BitSet changed = new BitSet();
        for (ChangedParts parts : walked) {
            for (int sw = 0; sw < doubts.length; sw++) {
                if (parts.come[sw] != null) {
                    add(sw, parts.come[sw], doubts[sw], changed);
                }
            }
        }
        if (!resolve(doubts)) {
            return null;
        }
        for (int sw = 0; sw < doubts.length; sw++) {
            if (doubts[sw] != null) {
                remove(sw, doubts[sw], changed);
            }
        }
        return new Result(now, new DestinationGroups(same.is, newLfts, members), same, changed);
    }

    /**
     * Trees to walk for their changes.
     *
     * @param old LIDs that the old tables forward alike; empty if there are none
     * @param now the same of the new tables
     * @param isAll whether all of the tree is new, or gone
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
            int[] vanished = Arrays.stream(groups.members(group))
                    .filter(changes.moved::get)
                    .toArray();
            if (vanished.length > 0) {
                work.add(new Work(vanished, NO_LIDS, true));
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

    private static void merge(char[][] all, char[][] more) {
        for (int sw = 0; sw < all.length; sw++) {
            if (all[sw] == null) {
                all[sw] = more[sw];
            } else if (more[sw] != null) {
                for (int i = 0; i < all[sw].length; i++) {
                    all[sw][i] |= more[sw][i];
                }
            }
        }
    }

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

    /** The sets of a switch, to be written. */
    private char[] own(int sw, BitSet changed) {
        if (!changed.get(sw)) {
            changed.set(sw);
            if (same.keptShape.get(sw)) {
                now.seen[sw] = now.seen[sw].clone();
            }
        }
        return now.seen[sw];
    }

    /** Finds for every doubt whether some packet is still seen there; takes the doubts that are resolved away. */
    private boolean resolve(char[][] doubts) {
        int[] doubtful = doubtful(doubts);
        if (doubtful.length == 0) {
            return true;
        }
        List<Witnesses> witnesses = run(() -> new Witnesses(doubts), each -> {});
        int[] nearest = doubtful.length > FEW ? nearest() : NO_LIDS;
        for (int from = 0; from < nearest.length && doubtful.length > FEW; from += AT_ONCE) {
            int[] asked = doubtful;
            int end = Math.min(nearest.length, from + AT_ONCE);
            if (!ask(witnesses, from, end, (each, i) -> each.ask(nearest[i], asked))) {
                return false;
            }
            doubtful = doubtful(doubts);
        }
        Passing passing = Passing.of(newLfts, now, members, doubtful, doubts);
        for (int from = 0; from < members.length; from += BATCH) {
            int end = Math.min(members.length, from + BATCH);
            if (!ask(witnesses, from, end, (each, group) -> each.ask(group, passing.through(group)))) {
                return false;
            }
        }
        return true;
    }

    /** What a task does with one of several. */
    private interface Question {
        void ask(Witnesses witnesses, int index);
    }

    private boolean ask(List<Witnesses> witnesses, int from, int end, Question question) {
        AtomicInteger next = new AtomicInteger(from);
        ForkJoinTask.invokeAll(witnesses.stream()
                .map(each -> ForkJoinTask.adapt(() -> {
                    for (int i = next.getAndIncrement(); i < end && !each.hasFailed; i = next.getAndIncrement()) {
                        question.ask(each, i);
                    }
                }))
                .toList());
        witnesses.forEach(Witnesses::resolve);
        return witnesses.stream().noneMatch(each -> each.hasFailed);
    }

    private static int[] doubtful(char[][] doubts) {
        return IntStream.range(0, doubts.length)
                .filter(sw -> doubts[sw] != null && isAny(doubts[sw]))
                .toArray();
    }

    private static boolean isAny(char[] sets) {
        for (char set : sets) {
            if (set != 0) {
                return true;
            }
        }
        return false;
    }

    /** Some groups whose switches are nearest to where something changed, nearest first. */
    private int[] nearest() {
        int[] firstGroup = new int[same.is.switchCount];
        int[] nextGroup = new int[members.length];
        Arrays.fill(firstGroup, NONE);
        for (int group = members.length - 1; group >= 0; group--) {
            int sw = same.is.subnet.switchOfLid(members[group][0]);
            nextGroup[group] = firstGroup[sw];
            firstGroup[sw] = group;
        }
        int[] order = new int[NEAREST];
        int count = 0;
        for (int sw : changes.around()) {
            for (int group = firstGroup[sw]; group != NONE && count < NEAREST; group = nextGroup[group]) {
                order[count++] = group;
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** Sets of one task, kept where there are any. */
    private char[] sets(char[][] all, int sw) {
        if (all[sw] == null) {
            all[sw] = new char[now.seen[sw].length];
        }
        return all[sw];
    }

    /** Walks what changes in old and new trees. Belongs to one task. */
    private final class ChangedParts {
        /** By switch of now, in the shape of what travels now; null where nothing was seen. */
        private final char[][] gone = new char[same.is.switchCount][];

        private final char[][] come = new char[same.is.switchCount][];
        private final TreePart oldPart = new TreePart(same.was, oldLfts);
        private final TreePart newPart = new TreePart(same.is, newLfts);
        private final int[] everyOld = IntStream.range(0, same.was.switchCount).toArray();
        private final int[] everyNew = IntStream.range(0, same.is.switchCount).toArray();
        private boolean hasFailed;

        void walk(List<Work> work, AtomicInteger next) {
            for (int i = next.getAndIncrement(); i < work.size() && !hasFailed; i = next.getAndIncrement()) {
                Work each = work.get(i);
                int[] at = each.isAll ? everyNew : changes.at(each.now[0]);
                if (each.old.length > 0) {
                    old(each.old, each.isAll ? everyOld : before(at));
                }
                if (each.now.length > 0) {
                    now(each, at);
                }
                hasFailed |= (oldPart.visited() + newPart.visited()) * tasks > most;
            }
        }

        /** The same switches before, and those that are gone. */
        private int[] before(int[] at) {
            int[] old = Arrays.copyOf(changes.gone, changes.gone.length + at.length);
            int count = changes.gone.length;
            for (int sw : at) {
                if (same.oldSwitch[sw] != NONE) {
                    old[count++] = same.oldSwitch[sw];
                }
            }
            return Arrays.copyOf(old, count);
        }

        private void old(int[] lids, int[] at) {
            oldPart.begin(lids[0]);
            for (int sw : at) {
                oldPart.addUpstream(sw);
            }
            oldPart.addDownstream();
            walkPart(oldPart, lids, (sw, ingress, out, slot, sls) -> {
                if (isOfChange(oldPart, sw, out)) {
                    noteOld(sw, ingress, out, slot, sls);
                }
            });
        }

        /** What switches on old ways send themselves often resolves what is doubted there. */
        private void now(Work work, int[] at) {
            newPart.begin(work.now[0]);
            for (int sw : at) {
                newPart.addUpstream(sw);
            }
            for (int i = 0; work.old.length > 0 && i < oldPart.count(); i++) {
                int sw = same.newSwitch[oldPart.at(i)];
                if (sw != NONE) {
                    newPart.addSource(sw);
                }
            }
            newPart.addDownstream();
            hasFailed |= !walkPart(newPart, work.now, (sw, ingress, out, slot, sls) -> {
                if (gone[sw] != null || isOfChange(newPart, sw, out)) {
                    sets(come, sw)[now.index(sw, ingress, out, slot)] |= sls;
                }
            });
        }

        /** Whether packets may be seen there in one of the tables only: those behind a change, or right before it. */
        private boolean isOfChange(TreePart part, int sw, int out) {
            Channels channels = part.channels;
            return part.isBehindRoot(sw)
                    || out < channels.degree(sw) && part.isRoot(channels.linkTo[channels.firstLink[sw] + out]);
        }

        private void noteOld(int sw, int ingress, int out, int slot, char sls) {
            int mine = same.newSwitch[sw];
            if (mine == NONE) {
                return;
            }
            Channels was = same.was;
            int global = was.firstOut[sw] + out;
            int index = same.keptShape.get(mine)
                    ? before.offset[global] + (ingress - was.firstClass[sw]) * before.slots[global] + slot
                    : same.indexNow(before, now, sw, ingress, out, slot);
            if (index != NONE) {
                sets(gone, mine)[index] |= sls;
            }
        }
    }

    /** Takes a set of SLs that was seen. */
    private interface Note {
        void take(int sw, int ingress, int out, int slot, char sls);
    }

    /** Walks part of a tree; false if a packet is lost. */
    private static boolean walkPart(TreePart part, int[] lids, Note note) {
        return part.walk(new TreePart.Sink() {
            @Override
            public void saw(int sw, int ingress, int out, int slot, char sls) {
                note.take(sw, ingress, out, slot, sls);
            }

            @Override
            public void arrived(int sw, int ingress, char sls) {
                for (int lid : lids) {
                    note.take(sw, ingress, part.channels.deliveryOut(lid), 0, sls);
                }
            }
        });
    }

    /** Walks new trees that pass doubts. Belongs to one task. */
    private final class Witnesses {
        private final char[][] doubts;
        private final char[][] found = new char[same.is.switchCount][];
        private final TreePart part = new TreePart(same.is, newLfts);
        private boolean hasFailed;

        Witnesses(char[][] doubts) {
            this.doubts = doubts;
        }

        /** Asks a group for what is doubted at switches. */
        void ask(int group, int[] at) {
            int[] lids = members[group];
            part.begin(lids[0]);
            boolean isAny = false;
            for (int sw : at) {
                if (passes(sw, lids)) {
                    part.addUpstream(sw);
                    isAny = true;
                }
            }
            hasFailed |= isAny && !walkPart(part, lids, this::note) || part.visited() * tasks > most;
        }

        private void note(int sw, int ingress, int out, int slot, char sls) {
            if (doubts[sw] != null) {
                sets(found, sw)[now.index(sw, ingress, out, slot)] |= sls;
            }
        }

        private boolean passes(int sw, int[] lids) {
            if (sw == part.destination()) {
                for (int lid : lids) {
                    if (now.isAny(doubts[sw], sw, same.is.deliveryOut(lid), 0)) {
                        return true;
                    }
                }
                return false;
            }
            int link = part.link(sw);
            if (link == NONE) {
                return false;
            }
            int to = same.is.linkTo[link];
            int onward = part.link(to);
            int slot = onward == NONE ? same.is.degree(to) : onward - same.is.firstLink[to];
            return now.isAny(doubts[sw], sw, link - same.is.firstLink[sw], slot);
        }

        void resolve() {
            for (int sw = 0; sw < found.length; sw++) {
                if (found[sw] != null) {
                    for (int i = 0; i < found[sw].length; i++) {
                        doubts[sw][i] &= (char) ~found[sw][i];
                    }
                }
            }
        }
    }
}
