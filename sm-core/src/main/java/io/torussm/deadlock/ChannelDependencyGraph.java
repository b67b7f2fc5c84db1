package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.LongHeap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for whom. A node is a channel: a virtual lane of a directed link between switches, {@code link * 16 + vl}.
 * There is an edge if some packet may hold the first while it waits for the second. Links to and from end ports are
 * left out: nothing waits for a packet to be injected, and delivery waits for nothing. Immutable.
 *
 * <p>Dally and Seitz (1987): deterministic routing is free of deadlock if and only if this graph has no cycle.
 */
final class ChannelDependencyGraph implements Dependencies {
    private static final int ALL_SLS = 0xffff;

    /** What is mapped to VL15 is discarded: it holds no buffer and waits for none. */
    private static final int DATA_VLS = 0x7fff;

    final Channels channels;

    /** By link: the VLs that packets use (bit n: VL n). */
    private final char[] used;

    /** Edges, by channel: {@code successors[first[c]]} to {@code successors[first[c + 1] - 1]}. */
    private final int[] first;

    private final int[] successors;

    ChannelDependencyGraph(SlUsage traffic) {
        this(traffic, ALL_SLS);
    }

    /** What packets do on some links, to which the channels belong that they hold. */
    ChannelDependencyGraph(SlUsage traffic, BitSet links) {
        channels = traffic.channels;
        used = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        Edges edges = new Edges(1024);
        for (int link = 0; link < used.length; link++) {
            if (links.get(link)) {
                int sw = channels.linkSwitch(link);
                edges.addLink(traffic, ALL_SLS, sw, link - channels.firstLink[sw]);
            } else {
                Arrays.fill(first, link * Channels.VLS + 1, (link + 1) * Channels.VLS + 1, edges.count);
            }
        }
        successors = edges.all();
    }

    /** What packets of some SLs do (bit n: SL n). */
    ChannelDependencyGraph(SlUsage traffic, int slMask) {
        channels = traffic.channels;
        used = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        Edges edges = new Edges(1024);
        for (int sw = 0; sw < channels.switchCount; sw++) {
            for (int out = 0; out < channels.degree(sw); out++) {
                edges.addLink(traffic, slMask, sw, out);
            }
        }
        successors = edges.all();
    }

    /**
     * What packets do now, of what they did before: what is behind switches around which nothing changed is copied.
     *
     * @param changed switches whose sets of SLs are not those of before
     */
    ChannelDependencyGraph(
            SlUsage traffic, ChannelDependencyGraph before, SameChannels same, BitSet changed, int tasks) {
        channels = traffic.channels;
        used = new char[channels.linkTo.length];
        first = new int[channels.channelCount() + 1];
        List<Edges> parts = SwitchRanges.each(
                channels.switchCount, tasks, (from, to) -> changed(traffic, before, same, changed, from, to));
        successors = new int[parts.stream().mapToInt(part -> part.count).sum()];
        int count = 0;
        for (Edges part : parts) {
            System.arraycopy(part.ends, 0, successors, count, part.count);
            int end = channels.firstLink[part.to] * Channels.VLS;
            for (int channel = channels.firstLink[part.from] * Channels.VLS; channel < end && count > 0; channel++) {
                first[channel + 1] += count;
            }
            count += part.count;
        }
    }

    private Edges changed(
            SlUsage traffic, ChannelDependencyGraph before, SameChannels same, BitSet changed, int from, int to) {
        int known = before.successors.length;
        Edges edges = new Edges((int) ((long) known * (to - from) / Math.max(1, channels.switchCount)) + 1024);
        edges.from = from;
        edges.to = to;
        for (int sw = from; sw < to; sw++) {
            boolean isKept = same.keptShape.get(sw) && !changed.get(sw);
            int oldLink = isKept ? same.was.firstLink[same.oldSwitch[sw]] : 0;
            for (int out = 0; out < channels.degree(sw); out++) {
                if (isKept) {
                    edges.copyLink(before, same, oldLink + out, channels.firstLink[sw] + out);
                } else {
                    edges.addLink(traffic, ALL_SLS, sw, out);
                }
            }
        }
        return edges;
    }

    /** What unicast and multicast do together. */
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

    /** What both of two graphs of the same channels have. */
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

    /** Picks edges. */
    interface EdgeFilter {
        boolean takes(int held, int wanted);
    }

    /** Part of a graph, with all its channels. */
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

    /** Some of the edges of this graph. */
    ChannelDependencyGraph only(EdgeFilter filter) {
        return new ChannelDependencyGraph(this, filter);
    }

    /** This graph with the dependencies of multicast added; a dependency of both counts twice. */
    ChannelDependencyGraph with(MulticastDependencies multicast) {
        return new ChannelDependencyGraph(this, multicast);
    }

    /** This graph with the dependencies of another over the same links added; one of both counts twice. */
    ChannelDependencyGraph with(ChannelDependencyGraph other) {
        return new ChannelDependencyGraph(this, other);
    }

    /** Edges while they are collected, link by link; notes where those of each channel end, counted from the first of them. */
    private final class Edges {
        private int[] ends;
        private int count;

        /** The switches whose links they are of, {@code from} to {@code to - 1}, where that matters. */
        private int from;

        private int to;

        Edges(int capacity) {
            ends = new int[capacity];
        }

        int[] all() {
            return Arrays.copyOf(ends, count);
        }

        void copyLink(ChannelDependencyGraph before, SameChannels same, int oldLink, int link) {
            int end = before.first[(oldLink + 1) * Channels.VLS];
            reserve(end - before.first[oldLink * Channels.VLS]);
            for (int vl = 0; vl < Channels.VLS; vl++) {
                int channel = oldLink * Channels.VLS + vl;
                for (int edge = before.first[channel]; edge < before.first[channel + 1]; edge++) {
                    int next = before.successors[edge];
                    ends[count++] = same.newLink[next / Channels.VLS] * Channels.VLS + next % Channels.VLS;
                }
                first[link * Channels.VLS + vl + 1] = count;
            }
            used[link] = before.used[oldLink];
        }

        void addLink(SlUsage traffic, int slMask, int sw, int out) {
            int link = channels.firstLink[sw] + out;
            int next = channels.linkTo[link];
            int degree = channels.degree(next);
            char[] waits = new char[degree * Channels.VLS];
            for (int ingress = channels.firstClass[sw]; ingress < channels.firstClass[sw + 1]; ingress++) {
                for (int slot = 0; slot <= degree; slot++) {
                    for (int sls = traffic.sls(sw, ingress, out, slot) & slMask; sls != 0; sls &= sls - 1) {
                        int sl = Integer.numberOfTrailingZeros(sls);
                        int held = channels.vls(sw, ingress, out, sl) & DATA_VLS;
                        used[link] |= (char) held;
                        if (slot < degree) {
                            int wanted = channels.vls(next, channels.linkClass[link], slot, sl) & DATA_VLS;
                            for (int rest = held; rest != 0; rest &= rest - 1) {
                                waits[Integer.numberOfTrailingZeros(rest) * degree + slot] |= (char) wanted;
                            }
                        }
                    }
                }
            }
            addEdges(link, next, waits);
        }

        private void addEdges(int link, int next, char[] waits) {
            int degree = channels.degree(next);
            for (int vl = 0; vl < Channels.VLS; vl++) {
                for (int slot = 0; slot < degree; slot++) {
                    for (int wanted = waits[vl * degree + slot]; wanted != 0; wanted &= wanted - 1) {
                        reserve(1);
                        ends[count++] = (channels.firstLink[next] + slot) * Channels.VLS
                                + Integer.numberOfTrailingZeros(wanted);
                    }
                }
                first[link * Channels.VLS + vl + 1] = count;
            }
        }

        private void reserve(int more) {
            if (count + more > ends.length) {
                ends = Arrays.copyOf(ends, Math.addExact(Math.max(ends.length, more), ends.length >> 1) + more);
            }
        }
    }

    /** Channel numbers are below this; most of them may be unused. */
    @Override
    public int size() {
        return channels.channelCount();
    }

    /** Whether another graph of the same channels has the same ones in use, and the same dependencies. */
    boolean hasSameDependencies(ChannelDependencyGraph other) {
        return Arrays.equals(used, other.used)
                && Arrays.equals(first, other.first)
                && Arrays.equals(successors, other.successors);
    }

    boolean isUsed(int channel) {
        return (used[channel / Channels.VLS] >> channel % Channels.VLS & 1) != 0;
    }

    /** Whether a link carries packets on any VL. */
    boolean carries(int link) {
        return used[link] != 0;
    }

    /** Channels that carry packets. */
    int channelCount() {
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

    /**
     * Numbers the used channels so that all edges lead upward, and otherwise as near to an order that is wished as it takes
     * no more than to put off channels that must wait.
     *
     * @param wish by channel; those with a lower one come first if they can
     * @return by channel, {@link Fabric#NONE} if unused; null if there is a cycle
     */
    int @Nullable [] numbering(int[] wish) {
        int[] waiting = new int[size()];
        for (int successor : successors) {
            waiting[successor]++;
        }
        LongHeap ready = new LongHeap();
        for (int channel = 0; channel < waiting.length; channel++) {
            if (waiting[channel] == 0 && isUsed(channel)) {
                ready.add((long) wish[channel] << 32 | channel);
            }
        }
        int[] number = new int[size()];
        Arrays.fill(number, Fabric.NONE);
        int count = 0;
        while (!ready.isEmpty()) {
            int channel = (int) ready.poll();
            number[channel] = count++;
            for (int edge = first[channel]; edge < first[channel + 1]; edge++) {
                if (--waiting[successors[edge]] == 0) {
                    ready.add((long) wish[successors[edge]] << 32 | successors[edge]);
                }
            }
        }
        return count == channelCount() ? number : null;
    }

    /** Whether packets, those of groups included, use a channel. */
    boolean isUsed(int channel, @Nullable MulticastDependencies more) {
        int vls = used[channel / Channels.VLS] | (more == null ? 0 : more.used(channel / Channels.VLS));
        return (vls >> channel % Channels.VLS & 1) != 0;
    }

    /**
     * Numbers the used channels so that all edges lead upward.
     *
     * @return by channel, {@link Fabric#NONE} if unused; null if there is a cycle
     */
    int @Nullable [] numbering() {
        return numbering((MulticastDependencies) null);
    }

    /**
     * The same for this graph with the dependencies of multicast added.
     *
     * @param more null if there are none
     */
    int @Nullable [] numbering(@Nullable MulticastDependencies more) {
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
