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
 * A repair of channel numbers after a few dependencies changed, so that all dependencies lead upward again. If a
 * dependency does not lead upward, the number of the wanted channel is raised, and then those of the channels after
 * that channel. Different channels may get equal numbers. A cycle would be raised for ever, so the effort is limited,
 * and the search for a cycle becomes less frequent (its interval doubles).
 */
final class RaisedNumbers {
    /**
     * Divisor of the effort: after this part of the effort the causes of raises are recorded. A search for a cycle
     * among them follows after twice the interval, and the interval doubles after each search.
     */
    private static final int FIRST_SEARCH_DIVISOR = 16;

    /** The outcome of a repair. */
    enum Outcome {
        /** All dependencies lead upward. */
        FITTING,
        /** There is a cycle, so no numbers can fit. */
        CYCLE,
        /** The effort is used up. There may be a cycle. */
        TOO_MUCH_WORK
    }

    private final ChannelDependencyGraph graph;
    private final @Nullable MulticastDependencies groups;

    /** [channel] its number; NONE if no packet uses the channel. */
    private final int[] number;

    /** Channels that were raised and not yet visited. */
    private final BitSet raised = new BitSet();

    /**
     * [channel] 1 + the channel that caused its last raise; 0 without a recorded raise. Null while few channels are
     * raised, because a cycle is then unlikely.
     */
    private int @Nullable [] cause;

    /** The channels of {@link #raised} in the order of their raises: the first {@link #count} elements. */
    private int[] next = new int[256];

    private int count;

    /** Remaining number of visits of dependencies. After these a new numbering of all channels takes less time. */
    private int effort;

    private RaisedNumbers(ChannelDependencyGraph graph, @Nullable MulticastDependencies groups, int[] number) {
        this.graph = graph;
        this.groups = groups;
        this.number = number;
        effort = graph.dependencyCount() + 1;
    }

    /**
     * Raises numbers until all dependencies lead upward, and removes the numbers of unused channels.
     *
     * @param groups dependencies of multicast; null for unicast alone
     * @param number [channel] its number, {@link Fabric#NONE} for a channel without one; overwritten, and usable only
     *     if the outcome is FITTING
     * @param tasks number of parallel parts, at least 1; the result does not depend on it
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
        SwitchRanges.collect(channels.switchCount, tasks, raised::unfitChannels).stream()
                .flatMapToInt(Arrays::stream)
                .forEach(raised::raiseSuccessors);
        return raised.fit();
    }

    /**
     * Returns the used channels of links that leave switches {@code from} to {@code to - 1}, if a channel that they
     * wait for has no higher number.
     */
    private int[] unfitChannels(int from, int to) {
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

    /** Checks whether all dependencies of packets in a channel lead upward. */
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

    /** Visits raised channels round by round, until no channel is raised or the effort is used up. */
    private Outcome fit() {
        int step = effort / FIRST_SEARCH_DIVISOR;
        int searchAt = effort - step;
        while (count > 0 && effort > 0) {
            int[] round = next;
            int end = count;
            next = new int[Math.max(256, end)];
            count = 0;
            for (int i = 0; i < end && effort > 0; i++) {
                raised.clear(round[i]);
                effort -= raiseSuccessors(round[i]);
                if (effort < searchAt) {
                    if (cause != null && isOnCycle(round, end)) {
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
     * Checks whether the chain of causes from one of some channels closes. Each cause is a dependency, so a closed
     * chain is a cycle of the graph. Such a cycle soon shows, because only the channels of a cycle are raised without
     * end.
     *
     * @param some channels, the first {@code end} elements
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
     * Raises each channel that a channel waits for to a number above that of the channel. Returns the number of visited
     * dependencies.
     */
    private int raiseSuccessors(int channel) {
        int min = number[channel] + 1;
        int first = graph.first(channel);
        int end = graph.first(channel + 1);
        for (int edge = first; edge < end; edge++) {
            raise(graph.successor(edge), channel, min);
        }
        if (groups == null) {
            return end - first;
        }
        int firstOfGroups = groups.first(channel);
        int endOfGroups = groups.first(channel + 1);
        for (int edge = firstOfGroups; edge < endOfGroups; edge++) {
            raise(groups.wanted(edge), channel, min);
        }
        return end - first + endOfGroups - firstOfGroups;
    }

    /** Raises a channel to at least {@code min}, because {@code causing} waits for it. */
    private void raise(int channel, int causing, int min) {
        if (number[channel] >= min) {
            return;
        }
        if (min > number.length) {
            effort = 0; // numbers are raised over many plans; a new numbering makes them small again
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
