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
 * Numbers of channels that are made to lead upward along all dependencies again after a few of these changed: where one does not, the
 * number of its end is raised, and so on from there. Numbers of different channels may come out the same.
 */
final class RaisedNumbers {
    /** Part of the effort after which a cycle is first searched for among those that channels were raised for; then twice as much each time. */
    private static final int FIRST_SEARCH = 16;

    /** What came of it: numbers that fit, proof that there are none, or no answer. */
    enum Outcome {
        FITTING,
        CYCLE,
        TOO_MUCH_WORK
    }

    private final ChannelDependencyGraph graph;
    private final @Nullable MulticastDependencies groups;
    private final int[] number;

    /** Channels that were raised and not looked at since, those to look at now and those for the round after. */
    private final BitSet raised = new BitSet();

    /** By channel: which one it was last raised for, counted from 1; null while so few are raised that a cycle is not to be expected. */
    private int @Nullable [] cause;

    private int[] next = new int[256];
    private int count;

    /** Dependencies that may still be looked at before it takes less time to number all channels anew. */
    private int effort;

    private RaisedNumbers(ChannelDependencyGraph graph, @Nullable MulticastDependencies groups, int[] number) {
        this.graph = graph;
        this.groups = groups;
        this.number = number;
        effort = graph.dependencyCount() + 1;
    }

    /**
     * Makes numbers fit, and takes away those of channels that are not used.
     *
     * @param groups what is waited for besides; null if nothing is
     * @param number by channel, {@link Fabric#NONE} for those that have none yet; written
     * @param tasks parts to work in side by side, on which nothing that comes out depends
     * @return if they do not fit, whether a cycle was met or it became too much work, be there a cycle or not; then the numbers are of no use
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

    /** Channels of some switches with a number that is not below that of each channel which is waited for. */
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
     * Whether one of some channels was raised for another, that one for a third, and so on in a circle. Each of these is a dependency,
     * so the circle is a cycle; and a cycle shows like that before long, since nothing else raises its channels again and again.
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

    /** Raises who is waited for from a channel as far as needed; how many were looked at. */
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

    private void raise(int channel, int causing, int least) {
        if (number[channel] >= least) {
            return;
        }
        if (least > number.length) {
            effort = 0; // so numbers never grow without end, however many plans follow each other
        }
        number[channel] = least;
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
