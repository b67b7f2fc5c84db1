package io.torussm.deadlock.transition;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.growth.ForbiddenEdges;
import io.torussm.deadlock.incremental.TreePart;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A search for the dependencies between certain channels that packets cause which pass no changing entry. Such packets
 * use the paths of the new plan, so the proof of the plan contains their dependencies. One packet confirms a
 * dependency. Only the parts of trees upstream of an unconfirmed dependency are walked, until all dependencies are
 * confirmed. An instance is used once.
 */
final class SteadyDependencies {
    /**
     * Distance between the groups of the sample, which is walked first. The sample confirms most dependencies, because
     * neighbouring groups have similar paths.
     */
    private static final int STRIDE = 37;

    /** Number of groups that a task takes together: their entries are adjacent in memory. */
    private static final int BLOCK = 32;

    private static final int[] NO_SWITCHES = {};

    private final MixedDestinations destinations;
    private final Channels channels;

    /** [dependency] the channel that a packet occupies, ascending. */
    private final int[] held;

    /** [dependency] the channel that this packet waits for. */
    private final int[] wanted;

    /**
     * [dependency] whether some packet confirms it. Tasks write it without synchronization, but only {@code true}, so
     * that no write is undone.
     */
    private final boolean[] isConfirmed;

    /**
     * [turn] its first dependency; one element more than turns. A turn is all consecutive dependencies between the same
     * two links.
     */
    private final int[] firstOfTurn;

    /** [turn] the switch that its first link leaves. */
    private final int[] switchOfTurn;

    private SteadyDependencies(MixedDestinations destinations, Channels channels, int[] held, int[] wanted) {
        this.destinations = destinations;
        this.channels = channels;
        this.held = held;
        this.wanted = wanted;
        isConfirmed = new boolean[held.length];
        int[] starts = IntStream.range(0, held.length)
                .filter(i -> i == 0 || link(held[i]) != link(held[i - 1]) || link(wanted[i]) != link(wanted[i - 1]))
                .toArray();
        firstOfTurn = Arrays.copyOf(starts, starts.length + 1);
        firstOfTurn[starts.length] = held.length;
        switchOfTurn = Arrays.stream(starts)
                .map(i -> channels.linkSwitch(link(held[i])))
                .toArray();
    }

    private static int link(int channel) {
        return channel / Channels.VLS;
    }

    /**
     * Finds the dependencies.
     *
     * @param destinations destinations with lists of the switches where entries change ({@link
     *     MixedDestinations#isSparse})
     * @param proved dependencies of the new plan
     * @param changing dependencies of packets that pass changing entries; these are not searched for
     * @param region the relevant channels
     * @return dependencies of {@code proved} between these channels that are not in {@code changing}, as
     *     {@link ForbiddenEdges#edge}
     */
    static long[] among(
            MixedDestinations destinations,
            ChannelDependencyGraph proved,
            ChannelDependencyGraph changing,
            BitSet region,
            int tasks) {
        IntStream.Builder held = IntStream.builder();
        IntStream.Builder wanted = IntStream.builder();
        for (int channel = region.nextSetBit(0); channel >= 0; channel = region.nextSetBit(channel + 1)) {
            int[] known = IntStream.range(changing.first(channel), changing.first(channel + 1))
                    .map(changing::successor)
                    .sorted()
                    .toArray();
            for (int edge = proved.first(channel); edge < proved.first(channel + 1); edge++) {
                int next = proved.successor(edge);
                if (region.get(next) && Arrays.binarySearch(known, next) < 0) {
                    held.add(channel);
                    wanted.add(next);
                }
            }
        }
        SteadyDependencies steady = new SteadyDependencies(
                destinations,
                changing.channels,
                held.build().toArray(),
                wanted.build().toArray());
        steady.find(tasks);
        return IntStream.range(0, steady.held.length)
                .filter(i -> steady.isConfirmed[i])
                .mapToLong(i -> ForbiddenEdges.edge(steady.held[i], steady.wanted[i]))
                .toArray();
    }

    private void find(int tasks) {
        if (held.length == 0) {
            return;
        }
        int first = destinations.vanishedCount();
        int[] sample = IntStream.iterate(first, group -> group < destinations.count(), group -> group + STRIDE)
                .toArray();
        int[] others = IntStream.range(first, destinations.count())
                .filter(group -> (group - first) % STRIDE != 0)
                .toArray();
        for (int[] groups : new int[][] {sample, others}) {
            AtomicInteger next = new AtomicInteger();
            ForkJoinTask.invokeAll(Stream.generate(Walk::new)
                    .limit(tasks)
                    .map(walk -> ForkJoinTask.adapt(() -> walk.walk(groups, next)))
                    .toList());
        }
    }

    /** Checks whether a turn has an unconfirmed dependency. */
    private boolean isUnconfirmed(int turn) {
        for (int i = firstOfTurn[turn]; i < firstOfTurn[turn + 1]; i++) {
            if (!isConfirmed[i]) {
                return true;
            }
        }
        return false;
    }

    /** A walk of trees. Belongs to one task. */
    private final class Walk {
        private final TreePart part = new TreePart(channels, destinations.newLfts);

        /** Turns with unconfirmed dependencies, as of the last check of this task. */
        private int[] unconfirmedTurns = IntStream.range(0, switchOfTurn.length).toArray();

        /** Walks trees of groups until none is left or all dependencies are confirmed. All tasks share {@code next}. */
        void walk(int[] groups, AtomicInteger next) {
            for (int from = next.getAndAdd(BLOCK); from < groups.length; from = next.getAndAdd(BLOCK)) {
                for (int i = from; i < Math.min(groups.length, from + BLOCK); i++) {
                    unconfirmedTurns = Arrays.stream(unconfirmedTurns)
                            .filter(SteadyDependencies.this::isUnconfirmed)
                            .toArray();
                    if (unconfirmedTurns.length == 0) {
                        return;
                    }
                    walk(groups[i]);
                }
            }
        }

        /** Walks the tree of a group upstream of open turns, without packets that pass a changing entry. */
        private void walk(int group) {
            int[] lids = destinations.members(group);
            part.begin(lids[0], group < destinations.changedCount() ? destinations.changedAt(group) : NO_SWITCHES);
            boolean isAny = false;
            for (int turn : unconfirmedTurns) {
                int sw = switchOfTurn[turn];
                int link = link(held[firstOfTurn[turn]]);
                if (part.link(sw) == link
                        && part.link(channels.linkTo[link]) == link(wanted[firstOfTurn[turn]])
                        && part.avoidsExcluded(sw)) {
                    part.addUpstream(sw);
                    isAny = true;
                }
            }
            if (isAny) {
                part.walk(lids, this::confirm);
            }
        }

        /**
         * Confirms the dependencies that packets at a hop cause. The parameters have the meaning of {@code
         * SlUsage.index}, and {@code sls} is the set of SLs of the packets.
         */
        private void confirm(int sw, int ingress, int out, int slot, char sls) {
            int link = channels.firstLink[sw] + out;
            int to = out < channels.degree(sw) ? channels.linkTo[link] : sw;
            if (to == sw || slot == channels.degree(to)) {
                return;
            }
            int first = firstOf(link * Channels.VLS);
            for (int i = first; i < held.length && link(held[i]) == link; i++) {
                if (!isConfirmed[i]
                        && link(wanted[i]) == channels.firstLink[to] + slot
                        && isMade(sw, ingress, out, slot, sls, held[i], wanted[i])) {
                    isConfirmed[i] = true;
                }
            }
        }

        /** Returns the first dependency whose held channel is {@code channel} or a higher one. */
        private int firstOf(int channel) {
            int index = Arrays.binarySearch(held, channel);
            while (index > 0 && held[index - 1] == channel) {
                index--;
            }
            return index < 0 ? -index - 1 : index;
        }

        /** Checks whether some SL of packets at a hop maps to the VLs of both channels. */
        private boolean isMade(int sw, int ingress, int out, int slot, char all, int holds, int wants) {
            int link = channels.firstLink[sw] + out;
            for (int sls = all; sls != 0; sls &= sls - 1) {
                int sl = Integer.numberOfTrailingZeros(sls);
                int heldVls = channels.vls(sw, ingress, out, sl) >> holds % Channels.VLS;
                int wantedVls =
                        channels.vls(channels.linkTo[link], channels.linkClass[link], slot, sl) >> wants % Channels.VLS;
                if ((heldVls & wantedVls & 1) != 0) {
                    return true;
                }
            }
            return false;
        }
    }
}
