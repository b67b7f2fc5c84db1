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
 * Which dependencies between certain channels come of packets that meet no entry that changes. Such packets have the ways of the
 * new plan, so what they do is among what was proved of it, and one packet is enough to show each dependency: trees are walked,
 * upward from where a dependency is in question, until none is, and not all trees as a whole. One use.
 */
final class SteadyDependencies {
    /** Groups that are asked first are so far apart; since neighbours have much in common, they show most of what there is. */
    private static final int STRIDE = 37;

    /** Groups that a task takes at a time: their entries are beside each other. */
    private static final int BLOCK = 32;

    private static final int[] NOWHERE = {};

    private final MixedDestinations destinations;
    private final Channels channels;

    /** In question, ascending: channels that are held, and wanted. */
    private final int[] held;

    private final int[] wanted;

    /** By dependency in question: whether some packet makes it. Tasks write nothing but {@code true}, so none undoes another's. */
    private final boolean[] isShown;

    /** Dependencies with the same two links, a turn: {@code firstOfTurn[turn]} to {@code firstOfTurn[turn + 1] - 1}. */
    private final int[] firstOfTurn;

    private final int[] switchOfTurn;

    private SteadyDependencies(MixedDestinations destinations, Channels channels, int[] held, int[] wanted) {
        this.destinations = destinations;
        this.channels = channels;
        this.held = held;
        this.wanted = wanted;
        isShown = new boolean[held.length];
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
     * Finds them.
     *
     * @param destinations of which it is known where entries change
     * @param proved what packets do by the new plan
     * @param changing what those do that meet entries that change; what is in it is not looked for
     * @param region the channels that matter
     * @return dependencies of {@code proved} between these channels, none of {@code changing}, as {@link ForbiddenEdges#edge}
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
                .filter(i -> steady.isShown[i])
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
                    .map(walk -> ForkJoinTask.adapt(() -> walk.ask(groups, next)))
                    .toList());
        }
    }

    private boolean isOpen(int turn) {
        for (int i = firstOfTurn[turn]; i < firstOfTurn[turn + 1]; i++) {
            if (!isShown[i]) {
                return true;
            }
        }
        return false;
    }

    /** Walks trees. Belongs to one task. */
    private final class Walk {
        private final TreePart part = new TreePart(channels, destinations.wanted);

        /** Turns that are still in question, as far as this task has looked. */
        private int[] open = IntStream.range(0, switchOfTurn.length).toArray();

        void ask(int[] groups, AtomicInteger next) {
            for (int from = next.getAndAdd(BLOCK); from < groups.length; from = next.getAndAdd(BLOCK)) {
                for (int i = from; i < Math.min(groups.length, from + BLOCK); i++) {
                    open = Arrays.stream(open)
                            .filter(SteadyDependencies.this::isOpen)
                            .toArray();
                    if (open.length == 0) {
                        return;
                    }
                    ask(groups[i]);
                }
            }
        }

        private void ask(int group) {
            int[] lids = destinations.members(group);
            part.begin(lids[0], group < destinations.changedCount() ? destinations.changedAt(group) : NOWHERE);
            boolean isAny = false;
            for (int turn : open) {
                int sw = switchOfTurn[turn];
                int link = link(held[firstOfTurn[turn]]);
                if (part.link(sw) == link
                        && part.link(channels.linkTo[link]) == link(wanted[firstOfTurn[turn]])
                        && part.isClear(sw)) {
                    part.addUpstream(sw);
                    isAny = true;
                }
            }
            if (isAny) {
                part.walk(lids, this::note);
            }
        }

        private void note(int sw, int ingress, int out, int slot, char sls) {
            int link = channels.firstLink[sw] + out;
            int to = out < channels.degree(sw) ? channels.linkTo[link] : sw;
            if (to == sw || slot == channels.degree(to)) {
                return;
            }
            int first = firstOf(link * Channels.VLS);
            for (int i = first; i < held.length && link(held[i]) == link; i++) {
                if (!isShown[i]
                        && link(wanted[i]) == channels.firstLink[to] + slot
                        && isMade(sw, ingress, out, slot, sls, held[i], wanted[i])) {
                    isShown[i] = true;
                }
            }
        }

        private int firstOf(int channel) {
            int at = Arrays.binarySearch(held, channel);
            while (at > 0 && held[at - 1] == channel) {
                at--;
            }
            return at < 0 ? -at - 1 : at;
        }

        private boolean isMade(int sw, int ingress, int out, int slot, char all, int holds, int wants) {
            int link = channels.firstLink[sw] + out;
            for (int sls = all; sls != 0; sls &= sls - 1) {
                int sl = Integer.numberOfTrailingZeros(sls);
                int holding = channels.vls(sw, ingress, out, sl) >> holds % Channels.VLS;
                int wanting =
                        channels.vls(channels.linkTo[link], channels.linkClass[link], slot, sl) >> wants % Channels.VLS;
                if ((holding & wanting & 1) != 0) {
                    return true;
                }
            }
            return false;
        }
    }
}
