package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The channel dependency graph. A node is a channel: a virtual lane of a directed link between switches,
 * {@code link * 16 + vl}. There is an edge if a packet may occupy the first channel while it waits for the
 * second. Links to and from end ports are left out: no packet waits for an injection, and a delivered packet
 * waits for no channel. Immutable.
 *
 * <p>Dally and Seitz (1987): deterministic routing is free of deadlock if and only if this graph has no
 * cycle.
 */
public final class ChannelDependencyGraph implements Dependencies {
    public static final int ALL_SLS = 0xffff;

    public final Channels channels;

    /** [link] VLs that packets use (bit n: VL n). */
    private final char[] usedVls;

    /** [channel] first edge of the channel; one element more than channels. */
    private final int[] first;

    /** [edge] channel at the head of the edge. Edges of channel c are {@code first[c]} to {@code first[c + 1] - 1}. */
    private final int[] successors;

    public ChannelDependencyGraph(SlUsage traffic) {
        this(traffic, ALL_SLS);
    }

    /** Creates the graph with only those edges that leave channels of some links. */
    public ChannelDependencyGraph(SlUsage traffic, BitSet links) {
        channels = traffic.channels;
        usedVls = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        CollectedEdges edges = new CollectedEdges(channels, usedVls, first, 1024);
        for (int link = 0; link < usedVls.length; link++) {
            if (links.get(link)) {
                int sw = channels.linkSwitch(link);
                edges.addLink(traffic, ALL_SLS, sw, link - channels.firstLink[sw]);
            } else {
                Arrays.fill(first, link * Channels.VLS + 1, (link + 1) * Channels.VLS + 1, edges.count());
            }
        }
        successors = edges.heads();
    }

    /** Creates the graph of the packets of some SLs (bit n: SL n). */
    public ChannelDependencyGraph(SlUsage traffic, int slMask) {
        channels = traffic.channels;
        usedVls = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        CollectedEdges edges = new CollectedEdges(channels, usedVls, first, 1024);
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int out = 0; out < channels.degree(sw); out++) {
                edges.addLink(traffic, slMask, sw, out);
            }
        }
        successors = edges.heads();
    }

    /**
     * Creates a graph of edges that were collected elsewhere.
     *
     * @param used [link] VLs that packets use (bit n: VL n)
     * @param first [channel] first edge of the channel; one element more than channels
     * @param successors [edge] channel that a packet waits for
     */
    public ChannelDependencyGraph(Channels channels, char[] used, int[] first, int[] successors) {
        this.channels = channels;
        this.usedVls = used;
        this.first = first;
        this.successors = successors;
    }

    /** Creates the union of the dependencies of unicast and multicast. An edge of both occurs twice. */
    private ChannelDependencyGraph(ChannelDependencyGraph unicast, MulticastDependencies multicast) {
        channels = unicast.channels;
        usedVls = unicast.usedVls.clone();
        for (int link = 0; link < usedVls.length; link++) {
            usedVls[link] |= multicast.usedVls(link);
        }
        first = new int[unicast.first.length];
        successors = new int[unicast.successors.length + multicast.edgeCount()];
        int count = 0;
        for (int channel = 0; channel < size(); channel++) {
            int unicastCount = unicast.first[channel + 1] - unicast.first[channel];
            System.arraycopy(unicast.successors, unicast.first[channel], successors, count, unicastCount);
            count += unicastCount;
            for (int edge = multicast.first(channel); edge < multicast.first(channel + 1); edge++) {
                successors[count++] = multicast.wanted(edge);
            }
            first[channel + 1] = count;
        }
    }

    /** Creates the union of two graphs of the same channels. An edge of both occurs twice. */
    private ChannelDependencyGraph(ChannelDependencyGraph graph, ChannelDependencyGraph other) {
        channels = graph.channels;
        usedVls = graph.usedVls.clone();
        for (int link = 0; link < usedVls.length; link++) {
            usedVls[link] |= other.usedVls[link];
        }
        first = new int[graph.first.length];
        successors = new int[graph.successors.length + other.successors.length];
        int count = 0;
        for (int channel = 0; channel < size(); channel++) {
            for (ChannelDependencyGraph source : List.of(graph, other)) {
                int edgeCount = source.first[channel + 1] - source.first[channel];
                System.arraycopy(source.successors, source.first[channel], successors, count, edgeCount);
                count += edgeCount;
            }
            first[channel + 1] = count;
        }
    }

    /** A predicate that selects edges. */
    public interface EdgeFilter {
        boolean accepts(int held, int wanted);
    }

    /** Creates a graph with all channels and some edges of another. */
    private ChannelDependencyGraph(ChannelDependencyGraph all, EdgeFilter filter) {
        channels = all.channels;
        usedVls = all.usedVls;
        first = new int[all.first.length];
        int[] taken = new int[all.successors.length];
        int count = 0;
        for (int channel = 0; channel < size(); channel++) {
            for (int edge = all.first[channel]; edge < all.first[channel + 1]; edge++) {
                if (filter.accepts(channel, all.successors[edge])) {
                    taken[count++] = all.successors[edge];
                }
            }
            first[channel + 1] = count;
        }
        successors = Arrays.copyOf(taken, count);
    }

    /** Returns a graph of some of the edges of this graph. */
    public ChannelDependencyGraph only(EdgeFilter filter) {
        return new ChannelDependencyGraph(this, filter);
    }

    /** Returns a graph with the dependencies of multicast added; a dependency of unicast and multicast counts twice. */
    public ChannelDependencyGraph with(MulticastDependencies multicast) {
        return new ChannelDependencyGraph(this, multicast);
    }

    /**
     * Returns a graph with the dependencies of another graph over the same links added; a dependency of both graphs
     * counts twice.
     */
    public ChannelDependencyGraph with(ChannelDependencyGraph other) {
        return new ChannelDependencyGraph(this, other);
    }

    /** Returns the exclusive upper bound of channel numbers; most of them may be unused. */
    @Override
    public int size() {
        return channels.channelCount();
    }

    /** Checks whether another graph of the same channels has the same used channels and dependencies. */
    boolean hasSameDependencies(ChannelDependencyGraph other) {
        return Arrays.equals(usedVls, other.usedVls)
                && Arrays.equals(first, other.first)
                && Arrays.equals(successors, other.successors);
    }

    public boolean isUsed(int channel) {
        return (usedVls[channel / Channels.VLS] >> channel % Channels.VLS & 1) != 0;
    }

    /** Returns the VLs of a link that packets use (bit n: VL n). */
    public char usedVls(int link) {
        return usedVls[link];
    }

    /** Checks whether a link carries packets on any VL. */
    public boolean carries(int link) {
        return usedVls[link] != 0;
    }

    /** Returns the number of channels that carry packets. */
    public int channelCount() {
        int count = 0;
        for (char vls : usedVls) {
            count += Integer.bitCount(vls);
        }
        return count;
    }

    @Override
    public int dependencyCount() {
        return successors.length;
    }

    @Override
    public int first(int channel) {
        return first[channel];
    }

    @Override
    public int successor(int edge) {
        return successors[edge];
    }

    /** Checks whether packets of unicast or, if {@code more} is not null, of multicast use a channel. */
    public boolean isUsed(int channel, @Nullable MulticastDependencies more) {
        int vls = usedVls[channel / Channels.VLS] | (more == null ? 0 : more.usedVls(channel / Channels.VLS));
        return (vls >> channel % Channels.VLS & 1) != 0;
    }

    /**
     * Numbers the used channels so that all edges lead upward.
     *
     * @return [channel] number, {@link Fabric#NONE} if the channel is unused; null if there is a cycle
     */
    public int @Nullable [] numbering() {
        return numbering((MulticastDependencies) null);
    }

    /**
     * Numbers the used channels of this graph with the dependencies of multicast added, so that all edges lead upward:
     * a topological sort (Kahn 1962).
     *
     * @param more dependencies of multicast; null to number those of unicast alone
     * @return [channel] number, {@link Fabric#NONE} if the channel is unused; null if there is a cycle
     */
    public int @Nullable [] numbering(@Nullable MulticastDependencies more) {
        int[] predecessors = new int[size()];
        for (int successor : successors) {
            predecessors[successor]++;
        }
        for (int edge = 0; more != null && edge < more.edgeCount(); edge++) {
            predecessors[more.wanted(edge)]++;
        }
        int[] number = new int[size()];
        int[] queue = new int[size()];
        int tail = 0;
        int usedCount = 0;
        for (int channel = 0; channel < predecessors.length; channel++) {
            number[channel] = Fabric.NONE;
            if (isUsed(channel, more)) {
                usedCount++;
                if (predecessors[channel] == 0) {
                    queue[tail++] = channel;
                }
            }
        }
        for (int head = 0; head < tail; head++) {
            int channel = queue[head];
            number[channel] = head;
            for (int edge = first[channel]; edge < first[channel + 1]; edge++) {
                if (--predecessors[successors[edge]] == 0) {
                    queue[tail++] = successors[edge];
                }
            }
            for (int edge = more == null ? 0 : more.first(channel);
                    more != null && edge < more.first(channel + 1);
                    edge++) {
                if (--predecessors[more.wanted(edge)] == 0) {
                    queue[tail++] = more.wanted(edge);
                }
            }
        }
        // a channel of a cycle never enters the queue
        return tail == usedCount ? number : null;
    }
}
