package io.torussm.deadlock.incremental;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.deadlock.SwitchRanges;
import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A repair of channel numbers after a few dependencies changed, so that all dependencies lead upward again.
 * If one does not, the number of its end is raised, and then those of the channels after it. Different
 * channels may get equal numbers.
 */
final class RaisedNumbers {
    /**
     * Part of the effort after which the first search for a cycle among raised channels starts. The interval
     * then doubles.
     */
    private static final int FIRST_SEARCH = 16;

    /** The outcome: numbers that fit, a cycle (no numbers can fit), or no answer. */
    enum Outcome {
        FITTING,
        CYCLE,
        TOO_MUCH_WORK
    }

    private final ChannelDependencyGraph graph;
    private final @Nullable MulticastDependencies groups;
    private final int[] number;

    /** Channels that were raised and not visited since: the set, and below the list for the next round. */
    private final BitSet raised = new BitSet();

    /**
     * By channel: the channel that caused its last raise, counted from 1. Null while few are raised, since a
     * cycle is unlikely then.
     */
    private int @Nullable [] cause;

    private int[] next = new int[256];
    private int count;

    /** Remaining visits of dependencies before a new numbering of all channels takes less time. */
    private int effort;

    private RaisedNumbers(ChannelDependencyGraph graph, @Nullable MulticastDependencies groups, int[] number) {
        this.graph = graph;
        this.groups = groups;
        this.number = number;
        effort = graph.dependencyCount() + 1;
    }

    /**
     * Raises numbers until they fit, and removes those of unused channels.
     *
     * @param groups dependencies of multicast; null if there are none
     * @param number by channel, {@link Fabric#NONE} for a channel without a number; written
     * @param tasks number of parallel parts; the result does not depend on it
     * @return whether the numbers fit; if not, the numbers are unusable, and a cycle may exist even after too
     *     much work
     */
    static Outcome fit(ChannelDependencyGraph graph, @Nullable MulticastDependencies groups, int[] number, int tasks) {
        Channels channels = graph.channels;
        SwitchRanges.run(channels.switchCount, tasks, (from, to) -> {
            int end = channels.firstLink[to] * Channels.VLS;
            for (int channel = channels.firstLink[from] * Channels.VLS; channel < end; channel++) {
                number[channel] = graph.isUsed(channel, groups) ? Math.max(number[channel], 0) : Fabric.NONE;
            }
        });
        RaisedNumbers raised = new RaisedNumbers(graph, groups, number);
        SwitchRanges.each(channels.switchCount, tasks, raised::thatDoNotFit).stream()
                .flatMapToInt(Arrays::stream)
                .forEach(raised::raiseBehind);
        return raised.fit();
    }

    /**
     * Returns the channels of some switches whose number is not below that of each channel that they wait
     * for.
     */
    private int[] thatDoNotFit(int from, int to) {
        int end = graph.channels.firstLink[to] * Channels.VLS;
        int[] found = {};
        int size = 0;
        for (int channel = graph.channels.firstLink[from] * Channels.VLS; channel < end; channel++) {
            if (number[channel] != Fabric.NONE && !isFitting(channel)) {
                found = size == found.length ? Arrays.copyOf(found, 2 * size + 16) : found;
                found[size++] = channel;
            }
        }
        return Arrays.copyOf(found, size);
    }

    private boolean isFitting(int channel) {
        for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
            if (number[graph.successor(edge)] <= number[channel]) {
                return false;
            }
        }
        for (int edge = groups == null ? 0 : groups.first(channel);
                groups != null && edge < groups.first(channel + 1);
                edge++) {
            if (number[groups.wanted(edge)] <= number[channel]) {
                return false;
            }
        }
        return true;
    }

    private Outcome fit() {
        int step = effort / FIRST_SEARCH;
        int searchAt = effort - step;
        while (count > 0 && effort > 0) {
            int[] due = next;
            int end = count;
            next = new int[Math.max(256, end)];
            count = 0;
            for (int i = 0; i < end && effort > 0; i++) {
                raised.clear(due[i]);
                effort -= raiseBehind(due[i]);
                if (effort < searchAt) {
                    if (cause != null && isOnCycle(due, end)) {
                        return Outcome.CYCLE;
                    }
                    cause = cause == null ? new int[number.length] : cause;
                    step *= 2;
                    searchAt = effort - step;
                }
            }
        }
        return effort > 0 ? Outcome.FITTING : Outcome.TOO_MUCH_WORK;
    }

    /**
     * Checks whether the causes of some channels form a circle: each was raised for the next. Each cause is a
     * dependency, so the circle is a cycle. A cycle is soon found in this way, since only a cycle raises its
     * channels repeatedly.
     */
    private boolean isOnCycle(int[] some, int end) {
        int[] causes = Objects.requireNonNull(cause);
        int[] seenFrom = new int[causes.length];
        for (int i = 0; i < end; i++) {
            int channel = some[i];
            while (causes[channel] != 0 && seenFrom[channel] == 0) {
                seenFrom[channel] = i + 1;
                channel = causes[channel] - 1;
            }
            if (seenFrom[channel] == i + 1) {
                return true;
            }
        }
        return false;
    }

    /**
     * Raises the channels that a channel waits for as far as needed. Returns the number of dependencies
     * visited.
     */
    private int raiseBehind(int channel) {
        int least = number[channel] + 1;
        int first = graph.first(channel);
        int end = graph.first(channel + 1);
        for (int edge = first; edge < end; edge++) {
            raise(graph.successor(edge), channel, least);
        }
        if (groups == null) {
            return end - first;
        }
        int firstOfGroups = groups.first(channel);
        int endOfGroups = groups.first(channel + 1);
        for (int edge = firstOfGroups; edge < endOfGroups; edge++) {
            raise(groups.wanted(edge), channel, least);
        }
        return end - first + endOfGroups - firstOfGroups;
    }

    private void raise(int channel, int causing, int min) {
        if (number[channel] >= min) {
            return;
        }
        if (min > number.length) {
            effort = 0; // numbers never grow without limit over many plans
        }
        number[channel] = min;
        if (cause != null) {
            cause[channel] = causing + 1;
        }
        if (!raised.get(channel)) {
            raised.set(channel);
            next = count == next.length ? Arrays.copyOf(next, 2 * count) : next;
            next[count++] = channel;
        }
    }
}
