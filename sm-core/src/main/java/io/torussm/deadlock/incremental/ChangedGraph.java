package io.torussm.deadlock.incremental;

import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.CollectedEdges;
import io.torussm.deadlock.SlUsage;
import io.torussm.deadlock.SwitchRanges;
import java.util.BitSet;
import java.util.List;

/**
 * A builder of the {@link ChannelDependencyGraph} of a plan from the graph of an earlier plan. If nothing changed
 * around a switch, the edges of the links that leave it are copied; the edges of other links are computed from the
 * traffic.
 */
final class ChangedGraph {
    private final SlUsage traffic;
    private final Channels channels;
    private final ChannelDependencyGraph previousGraph;
    private final SameChannels sameChannels;
    private final BitSet changed;
    private final char[] usedVls;
    private final int[] first;

    private ChangedGraph(SlUsage traffic, ChannelDependencyGraph previous, SameChannels same, BitSet changed) {
        this.traffic = traffic;
        this.previousGraph = previous;
        this.sameChannels = same;
        this.changed = changed;
        channels = traffic.channels;
        usedVls = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
    }

    /**
     * Returns the graph of a plan.
     *
     * @param traffic traffic of the plan
     * @param previous graph of the earlier plan
     * @param changed new indexes of switches whose sets of SLs differ from those of the earlier plan
     * @param tasks number of parallel parts, at least 1
     */
    static ChannelDependencyGraph of(
            SlUsage traffic, ChannelDependencyGraph previous, SameChannels same, BitSet changed, int tasks) {
        return new ChangedGraph(traffic, previous, same, changed).collect(tasks);
    }

    /** The edges of the links that leave the switches {@code from} to {@code to - 1}. */
    private record Part(int from, int to, CollectedEdges edges) {}

    private ChannelDependencyGraph collect(int tasks) {
        List<Part> parts = SwitchRanges.collect(channels.switchCount, tasks, this::part);
        int[] successors =
                new int[parts.stream().mapToInt(part -> part.edges.count()).sum()];
        int count = 0;
        for (Part part : parts) {
            part.edges.copyTo(successors, count);
            // each part counts its edges from 0
            int end = channels.firstLink[part.to] * Channels.VLS;
            for (int channel = channels.firstLink[part.from] * Channels.VLS; channel < end && count > 0; channel++) {
                first[channel + 1] += count;
            }
            count += part.edges.count();
        }
        return new ChannelDependencyGraph(channels, usedVls, first, successors);
    }

    private Part part(int from, int to) {
        int oldCount = previousGraph.dependencyCount();
        int capacity = (int) ((long) oldCount * (to - from) / Math.max(1, channels.switchCount)) + 1024;
        CollectedEdges edges = new CollectedEdges(channels, usedVls, first, capacity);
        for (int sw = from; sw < to; sw++) {
            boolean isKept = sameChannels.keptShape.get(sw) && !changed.get(sw);
            int oldLink = isKept ? sameChannels.oldChannels.firstLink[sameChannels.oldSwitch[sw]] : 0;
            for (int out = 0; out < channels.degree(sw); out++) {
                if (isKept) {
                    copyLink(edges, oldLink + out, channels.firstLink[sw] + out);
                } else {
                    edges.addLink(traffic, ChannelDependencyGraph.ALL_SLS, sw, out);
                }
            }
        }
        return new Part(from, to, edges);
    }

    /** Copies the edges of a link, whose channels get new numbers. */
    private void copyLink(CollectedEdges edges, int oldLink, int link) {
        edges.reserve(previousGraph.first((oldLink + 1) * Channels.VLS) - previousGraph.first(oldLink * Channels.VLS));
        for (int vl = 0; vl < Channels.VLS; vl++) {
            int channel = oldLink * Channels.VLS + vl;
            for (int edge = previousGraph.first(channel); edge < previousGraph.first(channel + 1); edge++) {
                int next = previousGraph.successor(edge);
                edges.add(sameChannels.newLink[next / Channels.VLS] * Channels.VLS + next % Channels.VLS);
            }
            edges.endChannel(link * Channels.VLS + vl);
        }
        edges.setUsedVls(link, previousGraph.usedVls(oldLink));
    }
}
