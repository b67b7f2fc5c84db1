package io.torussm.deadlock.incremental;

import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sets of SLs of which nobody knows whether packets are still seen there: trees that pass them are asked, from there up, until some packet
 * resolves them. One use.
 */
final class Doubts {
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
    private final byte[][] newLfts;
    private final SlUsage now;
    private final ChangedColumns changes;
    private final int[][] members;

    /** By switch of now, in the shape of what travels now; null where nothing is in doubt. */
    private final char[][] doubts;

    private final int tasks;
    private final long most;

    /**
     * What is in doubt.
     *
     * @param members LIDs of each group that all switches forward alike
     * @param doubts by switch of now, null where there are none; what is resolved is taken away
     * @param most switches to look at before it takes less time to walk everything
     */
    Doubts(
            SameChannels same,
            byte[][] newLfts,
            SlUsage now,
            ChangedColumns changes,
            int[][] members,
            char[][] doubts,
            int tasks,
            long most) {
        this.same = same;
        this.newLfts = newLfts;
        this.now = now;
        this.changes = changes;
        this.members = members;
        this.doubts = doubts;
        this.tasks = tasks;
        this.most = most;
    }

    /** Finds for every doubt whether some packet is still seen there; takes the doubts that are resolved away. */
    boolean resolve() {
        int[] doubtful =
                IntStream.range(0, doubts.length).filter(this::isDoubtful).toArray();
        if (doubtful.length == 0) {
            return true;
        }
        List<Witnesses> witnesses = Stream.generate(Witnesses::new).limit(tasks).toList();
        int[] everyDoubtful = doubtful;
        int[] nearest = doubtful.length > FEW ? nearest() : NO_LIDS;
        for (int from = 0; from < nearest.length && doubtful.length > FEW; from += AT_ONCE) {
            int[] asked = doubtful;
            int end = Math.min(nearest.length, from + AT_ONCE);
            if (!ask(witnesses, from, end, everyDoubtful, (each, i) -> each.ask(nearest[i], asked))) {
                return false;
            }
            doubtful = Arrays.stream(asked).filter(this::isDoubtful).toArray();
        }
        Passing passing = Passing.of(newLfts, now, members, doubtful, doubts);
        for (int from = 0; from < members.length; from += BATCH) {
            int end = Math.min(members.length, from + BATCH);
            if (!ask(witnesses, from, end, everyDoubtful, (each, i) -> each.ask(i, passing.through(i)))) {
                return false;
            }
        }
        return true;
    }

    /** What a task does with one of several. */
    private interface Question {
        void ask(Witnesses witnesses, int index);
    }

    private boolean ask(List<Witnesses> witnesses, int from, int end, int[] doubtful, Question question) {
        AtomicInteger next = new AtomicInteger(from);
        ForkJoinTask.invokeAll(witnesses.stream()
                .map(each -> ForkJoinTask.adapt(() -> {
                    for (int i = next.getAndIncrement(); i < end && !each.hasFailed; i = next.getAndIncrement()) {
                        question.ask(each, i);
                    }
                }))
                .toList());
        witnesses.forEach(each -> each.resolve(doubtful));
        return witnesses.stream().noneMatch(each -> each.hasFailed);
    }

    private boolean isDoubtful(int sw) {
        char[] sets = doubts[sw];
        for (int i = 0; sets != null && i < sets.length; i++) {
            if (sets[i] != 0) {
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

    /** Walks new trees that pass doubts. Belongs to one task. */
    private final class Witnesses {
        private final char[][] found = new char[same.is.switchCount][];
        private final TreePart part = new TreePart(same.is, newLfts);
        private boolean hasFailed;

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
            hasFailed |= isAny && !part.walk(lids, this::note) || part.visited() * tasks > most;
        }

        private void note(int sw, int ingress, int out, int slot, char sls) {
            if (doubts[sw] != null) {
                now.sets(found, sw)[now.index(sw, ingress, out, slot)] |= sls;
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

        void resolve(int[] at) {
            for (int sw : at) {
                if (found[sw] != null) {
                    for (int i = 0; i < found[sw].length; i++) {
                        doubts[sw][i] &= (char) ~found[sw][i];
                    }
                }
            }
        }
    }
}
