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

    /** By link: the VLs that packets use (bit n: VL n). */
    private final char[] used;

    /** Edges, by channel: {@code successors[first[c]]} to {@code successors[first[c + 1] - 1]}. */
    private final int[] first;

    private final int[] successors;

    public ChannelDependencyGraph(SlUsage traffic) {
        this(traffic, ALL_SLS);
    }

    /** Creates the graph of the packets that occupy channels of some links. */
    public ChannelDependencyGraph(SlUsage traffic, BitSet links) {
        channels = traffic.channels;
        used = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        CollectedEdges edges = new CollectedEdges(channels, used, first, 1024);
        for (int link = 0; link < used.length; link++) {
            if (links.get(link)) {
                int sw = channels.linkSwitch(link);
                edges.addLink(traffic, ALL_SLS, sw, link - channels.firstLink[sw]);
            } else {
                Arrays.fill(first, link * Channels.VLS + 1, (link + 1) * Channels.VLS + 1, edges.count());
            }
        }
        successors = edges.all();
    }

    /** Creates the graph of the packets of some SLs (bit n: SL n). */
    public ChannelDependencyGraph(SlUsage traffic, int slMask) {
        channels = traffic.channels;
        used = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        CollectedEdges edges = new CollectedEdges(channels, used, first, 1024);
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int out = 0; out < channels.degree(sw); out++) {
                edges.addLink(traffic, slMask, sw, out);
            }
        }
        successors = edges.all();
    }

    /**
     * Creates a graph of edges that were collected elsewhere.
     *
     * @param used by link, the VLs that packets use (bit n: VL n)
     * @param first by channel, and one more, the index of its first edge
     * @param successors by edge, the channel that a packet waits for
     */
    public ChannelDependencyGraph(Channels channels, char[] used, int[] first, int[] successors) {
        this.channels = channels;
        this.used = used;
        this.first = first;
        this.successors = successors;
    }

    /** Creates the union of the dependencies of unicast and multicast. */
    private ChannelDependencyGraph(ChannelDependencyGraph unicast, MulticastDependencies multicast) {
        channels = unicast.channels;
        used = unicast.used.clone();
        for (int link = 0; link < used.length; link++) {
            used[link] |= multicast.used(link);
        }
        first = new int[unicast.first.length];
        successors = new int[unicast.successors.length + multicast.edgeCount()];
        int count = 0;
        for (int channel = 0; channel < size(); channel++) {
            int known = unicast.first[channel + 1] - unicast.first[channel];
            System.arraycopy(unicast.successors, unicast.first[channel], successors, count, known);
            count += known;
            for (int edge = multicast.first(channel); edge < multicast.first(channel + 1); edge++) {
                successors[count++] = multicast.wanted(edge);
            }
            first[channel + 1] = count;
        }
    }

    /** Creates the union of two graphs of the same channels. */
    private ChannelDependencyGraph(ChannelDependencyGraph one, ChannelDependencyGraph other) {
        channels = one.channels;
        used = one.used.clone();
        for (int link = 0; link < used.length; link++) {
            used[link] |= other.used[link];
        }
        first = new int[one.first.length];
        successors = new int[one.successors.length + other.successors.length];
        int count = 0;
        for (int channel = 0; channel < size(); channel++) {
            for (ChannelDependencyGraph each : List.of(one, other)) {
                int known = each.first[channel + 1] - each.first[channel];
                System.arraycopy(each.successors, each.first[channel], successors, count, known);
                count += known;
            }
            first[channel + 1] = count;
        }
    }

    /** A predicate that selects edges. */
    public interface EdgeFilter {
        boolean takes(int held, int wanted);
    }

    /** Creates a part of a graph, with all its channels. */
    private ChannelDependencyGraph(ChannelDependencyGraph all, EdgeFilter filter) {
        channels = all.channels;
        used = all.used;
        first = new int[all.first.length];
        int[] taken = new int[all.successors.length];
        int count = 0;
        for (int channel = 0; channel < size(); channel++) {
            for (int edge = all.first[channel]; edge < all.first[channel + 1]; edge++) {
                if (filter.takes(channel, all.successors[edge])) {
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

    /** Returns this graph with the dependencies of multicast added; a dependency of both counts twice. */
    public ChannelDependencyGraph with(MulticastDependencies multicast) {
        return new ChannelDependencyGraph(this, multicast);
    }

    /**
     * Returns this graph with the dependencies of another over the same links added; one of both counts
     * twice.
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
        return Arrays.equals(used, other.used)
                && Arrays.equals(first, other.first)
                && Arrays.equals(successors, other.successors);
    }

    public boolean isUsed(int channel) {
        return (used[channel / Channels.VLS] >> channel % Channels.VLS & 1) != 0;
    }

    /** Returns the VLs of a link that packets use (bit n: VL n). */
    public char usedVls(int link) {
        return used[link];
    }

    /** Checks whether a link carries packets on any VL. */
    public boolean carries(int link) {
        return used[link] != 0;
    }

    /** Returns the number of channels that carry packets. */
    public int channelCount() {
        int count = 0;
        for (char vls : used) {
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

    /** Checks whether packets, those of groups included, use a channel. */
    public boolean isUsed(int channel, @Nullable MulticastDependencies more) {
        int vls = used[channel / Channels.VLS] | (more == null ? 0 : more.used(channel / Channels.VLS));
        return (vls >> channel % Channels.VLS & 1) != 0;
    }

    /**
     * Numbers the used channels so that all edges lead upward.
     *
     * @return by channel, {@link Fabric#NONE} if unused; null if there is a cycle
     */
    public int @Nullable [] numbering() {
        return numbering((MulticastDependencies) null);
    }

    /**
     * Numbers the used channels of this graph with the dependencies of multicast added.
     *
     * @param more null if there are none
     */
    public int @Nullable [] numbering(@Nullable MulticastDependencies more) {
        int[] waiting = new int[size()];
        for (int successor : successors) {
            waiting[successor]++;
        }
        for (int edge = 0; more != null && edge < more.edgeCount(); edge++) {
            waiting[more.wanted(edge)]++;
        }
        int[] number = new int[size()];
        int[] queue = new int[size()];
        int tail = 0;
        int due = 0;
        for (int channel = 0; channel < waiting.length; channel++) {
            number[channel] = Fabric.NONE;
            if (isUsed(channel, more)) {
                due++;
                if (waiting[channel] == 0) {
                    queue[tail++] = channel;
                }
            }
        }
        for (int head = 0; head < tail; head++) {
            int channel = queue[head];
            number[channel] = head;
            for (int edge = first[channel]; edge < first[channel + 1]; edge++) {
                if (--waiting[successors[edge]] == 0) {
                    queue[tail++] = successors[edge];
                }
            }
            for (int edge = more == null ? 0 : more.first(channel);
                    more != null && edge < more.first(channel + 1);
                    edge++) {
                if (--waiting[more.wanted(edge)] == 0) {
                    queue[tail++] = more.wanted(edge);
                }
            }
        }
        return tail == due ? number : null;
    }
}
