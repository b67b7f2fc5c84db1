package io.torussm.deadlock.incremental;

import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Sets of SLs that may have lost their packets (doubts), after the paths of some packets changed. The new trees that
 * pass a doubted hop are walked upstream of this hop. A packet that uses an SL of the set confirms the SL; SLs that
 * remain without a packet were lost. An instance is used once.
 */
final class DoubtedSls {
    private static final int NONE = Fabric.NONE;
    private static final int[] NO_LIDS = {};

    /**
     * Number of groups nearest to a change. The trees of these groups are walked first.
     */
    private static final int NEAREST_GROUPS = 64;

    /** Number of nearest groups that are walked together. */
    private static final int GROUPS_PER_ROUND = 8;

    /** If at most this number of switches have doubts, no groups are walked first. */
    private static final int FEW_SWITCHES = 32;

    /** Number of other groups that are walked together. */
    private static final int BATCH = 512;

    private final SameChannels sameChannels;
    private final byte[][] newLfts;
    private final SlUsage newTraffic;
    private final ChangedColumns changes;

    /** [group] LIDs. */
    private final int[][] members;

    /** [new switch] sets of SLs, indexed as in the new traffic; null for a switch without doubts. */
    private final char[][] doubts;

    private final int tasks;

    /** Number of visits of switches above which a whole walk takes less time. */
    private final long max;

    /** Number of visits of all tasks. How the tasks share the work depends on the load of the machine. */
    private final AtomicLong visits = new AtomicLong();

    /**
     * Creates the doubts.
     *
     * @param current the new traffic, for the index of a set
     * @param members [group] LIDs that all switches forward alike
     * @param doubts [new switch] sets of SLs, null for a switch without doubts; confirmed SLs are removed
     * @param tasks number of parallel parts, at least 1
     * @param max number of visits of switches above which a whole walk takes less time
     */
    DoubtedSls(
            SameChannels same,
            byte[][] newLfts,
            SlUsage current,
            ChangedColumns changes,
            int[][] members,
            char[][] doubts,
            int tasks,
            long max) {
        this.sameChannels = same;
        this.newLfts = newLfts;
        this.newTraffic = current;
        this.changes = changes;
        this.members = members;
        this.doubts = doubts;
        this.tasks = tasks;
        this.max = max;
    }

    /**
     * Searches for packets of every doubt, and removes the doubts that a packet confirms. Returns false if that is too
     * much work, or if a packet does not arrive.
     */
    boolean resolve() {
        int[] doubtful =
                IntStream.range(0, doubts.length).filter(this::isDoubtful).toArray();
        if (doubtful.length == 0) {
            return true;
        }
        List<Witnesses> witnesses = Stream.generate(Witnesses::new).limit(tasks).toList();
        int[] allDoubtful = doubtful;
        int[] nearest = doubtful.length > FEW_SWITCHES ? nearest() : NO_LIDS;
        for (int from = 0; from < nearest.length && doubtful.length > FEW_SWITCHES; from += GROUPS_PER_ROUND) {
            int[] remaining = doubtful;
            int end = Math.min(nearest.length, from + GROUPS_PER_ROUND);
            if (!walkTrees(witnesses, from, end, allDoubtful, (each, i) -> each.walkTree(nearest[i], remaining))) {
                return false;
            }
            doubtful = Arrays.stream(remaining).filter(this::isDoubtful).toArray();
        }
        PassingGroups passing = PassingGroups.of(newLfts, newTraffic, members, doubtful, doubts);
        for (int from = 0; from < members.length; from += BATCH) {
            int end = Math.min(members.length, from + BATCH);
            if (!walkTrees(witnesses, from, end, allDoubtful, (each, i) -> each.walkTree(i, passing.switchesOf(i)))) {
                return false;
            }
        }
        return true;
    }

    /** A function that walks the tree of one of several groups, for one task. */
    private interface WitnessWalk {
        void walk(Witnesses witnesses, int index);
    }

    /**
     * Walks the trees of groups {@code from} to {@code end - 1} in parallel, and then removes the confirmed doubts.
     * Returns false if that is too much work, or if a packet does not arrive.
     */
    private boolean walkTrees(List<Witnesses> witnesses, int from, int end, int[] doubtful, WitnessWalk question) {
        AtomicInteger next = new AtomicInteger(from);
        ForkJoinTask.invokeAll(witnesses.stream()
                .map(each -> ForkJoinTask.adapt(() -> {
                    for (int i = next.getAndIncrement(); i < end && !each.hasFailed; i = next.getAndIncrement()) {
                        question.walk(each, i);
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

    /** Returns at most {@link #NEAREST_GROUPS} groups whose switches are nearest to a change, nearest first. */
    private int[] nearest() {
        int[] firstGroup = new int[sameChannels.newChannels.switchCount];
        int[] nextGroup = new int[members.length];
        Arrays.fill(firstGroup, NONE);
        for (int group = members.length - 1; group >= 0; group--) {
            int sw = sameChannels.newChannels.subnet.switchOfLid(members[group][0]);
            nextGroup[group] = firstGroup[sw];
            firstGroup[sw] = group;
        }
        int[] order = new int[NEAREST_GROUPS];
        int count = 0;
        for (int sw : changes.switchesByDistance()) {
            for (int group = firstGroup[sw]; group != NONE && count < NEAREST_GROUPS; group = nextGroup[group]) {
                order[count++] = group;
            }
        }
        return Arrays.copyOf(order, count);
    }

    /** A walk of new trees that pass doubted hops, and the packets that it finds there. Belongs to one task. */
    private final class Witnesses {
        /** [new switch] SLs of packets, indexed as in the new traffic; null without packets. */
        private final char[][] foundSets = new char[sameChannels.newChannels.switchCount][];

        private final TreePart part = new TreePart(sameChannels.newChannels, newLfts);
        private boolean hasFailed;

        /** Walks the tree of a group upstream of the doubted hops at some switches. */
        void walkTree(int group, int[] atSwitches) {
            int[] lids = members[group];
            long visitedBefore = part.visited();
            part.begin(lids[0]);
            boolean isAny = false;
            for (int sw : atSwitches) {
                if (hasDoubtedHop(sw, lids)) {
                    part.addUpstream(sw);
                    isAny = true;
                }
            }
            hasFailed |= isAny && !part.walk(lids, this::note);
            hasFailed |= visits.addAndGet(part.visited() - visitedBefore) > max;
        }

        private void note(int sw, int ingress, int out, int slot, char sls) {
            if (doubts[sw] != null) {
                newTraffic.sets(foundSets, sw)[newTraffic.index(sw, ingress, out, slot)] |= sls;
            }
        }

        /** Checks whether packets to the LIDs of the current tree make a doubted hop at a switch. */
        private boolean hasDoubtedHop(int sw, int[] lids) {
            if (sw == part.destination()) {
                for (int lid : lids) {
                    if (newTraffic.hasPackets(doubts[sw], sw, sameChannels.newChannels.deliveryOut(lid), 0)) {
                        return true;
                    }
                }
                return false;
            }
            int link = part.link(sw);
            if (link == NONE) {
                return false;
            }
            int to = sameChannels.newChannels.linkTo[link];
            int nextLink = part.link(to);
            int slot = nextLink == NONE
                    ? sameChannels.newChannels.degree(to)
                    : nextLink - sameChannels.newChannels.firstLink[to];
            return newTraffic.hasPackets(doubts[sw], sw, link - sameChannels.newChannels.firstLink[sw], slot);
        }

        /** Removes the doubts at some switches that this task confirmed. */
        void resolve(int[] atSwitches) {
            for (int sw : atSwitches) {
                if (foundSets[sw] != null) {
                    for (int i = 0; i < foundSets[sw].length; i++) {
                        doubts[sw][i] &= (char) ~foundSets[sw][i];
                    }
                }
            }
        }
    }
}
