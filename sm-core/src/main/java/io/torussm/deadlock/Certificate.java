package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A proof that tables cannot deadlock: a number for every channel that packets use, such that on every path the
 * numbers go up. A packet then only ever waits for a channel with a higher number than those it holds, and whoever
 * holds the highest number waits for nobody. Anyone can check it with the tables in hand, see {@link #verify}.
 */
public final class Certificate implements Verdict {
    private final ChannelDependencyGraph unicast;
    private final @Nullable MulticastDependencies groupTraffic;
    private final Channels channels;
    private final DestinationGroups groups;
    private final SlUsage traffic;
    private final RoutingOptions options;
    private final boolean isIncremental;

    /** By channel, NONE where no packet goes. */
    private final int[] numbering;

    private final @Nullable MulticastTree multicast;

    /** With multicast; made when it is asked for. */
    private @Nullable ChannelDependencyGraph graph;

    /**
     * A proof.
     *
     * @param numbering of all channels that packets use, of groups too
     * @param multicast the tree whose dependencies are {@code groupTraffic}; both null if there is none
     */
    Certificate(
            ChannelDependencyGraph unicast,
            @Nullable MulticastDependencies groupTraffic,
            int[] numbering,
            DeadlockChecker.Walked walked,
            @Nullable MulticastTree multicast) {
        channels = unicast.channels;
        this.unicast = unicast;
        this.groupTraffic = groupTraffic;
        this.numbering = numbering;
        this.multicast = multicast;
        groups = walked.groups();
        traffic = walked.traffic();
        options = walked.options();
        isIncremental = walked.changed() != null;
    }

    /** Virtual lanes of directed links between switches that packets use. */
    public int channelCount() {
        int used = 0;
        for (int number : numbering) {
            used += number == Fabric.NONE ? 0 : 1;
        }
        return used;
    }

    /** Pairs of channels such that some packet may hold the first and wait for the second. */
    public int dependencyCount() {
        return unicast.dependencyCount() + (groupTraffic == null ? 0 : groupTraffic.edgeCount());
    }

    /** LIDs that were looked at: those of end ports that are, or hang on, a switch. */
    public int destinationCount() {
        return groups.lidCount();
    }

    /** Whether only paths were walked that changed since the proof before; what was not walked rests on that one. */
    public boolean isIncremental() {
        return isIncremental;
    }

    /** What was proved. */
    Plan plan() {
        return channels.plan;
    }

    /** The channels of a plan as it is programmed with some options; null if it is not the one that this was given to. */
    @Nullable
    Channels channelsOf(Plan plan, RoutingOptions with) {
        return channels.plan == plan && Objects.equals(options, with) ? channels : null;
    }

    /** Whether another certificate is of the same plan and has the same channels and dependencies, whatever their numbers. */
    public boolean isSameProof(Certificate other) {
        return hasSamePaths(other)
                && (groupTraffic == null) == (other.groupTraffic == null)
                && dependencyCount() == other.dependencyCount();
    }

    /** The same but for multicast, for which numbers may lead to another tree. */
    private boolean hasSamePaths(Certificate other) {
        return channels.plan == other.channels.plan
                && options.equals(other.options)
                && Arrays.deepEquals(traffic.seen, other.traffic.seen)
                && unicast.hasSameDependencies(other.unicast);
    }

    /**
     * Proves as a whole once more what rests on a proof before. Pure.
     *
     * @return what comes of it if it is not the same; else empty
     */
    String doubts(DeadlockChecker checker) {
        Verdict whole = checker.prove(channels.plan, options).verdict();
        if (!(whole instanceof Certificate certificate)) {
            return whole.text();
        }
        return hasSamePaths(certificate)
                ? ""
                : certificate.dependencyCount() + " dependencies between " + certificate.channelCount()
                        + " channels, where " + dependencyCount() + " between " + channelCount() + " were found";
    }

    /**
     * What travels where under a plan that differs little from that of this certificate.
     *
     * @return null if it has to be walked as a whole
     */
    ChangedTraffic.@Nullable Result changedTo(Channels now, byte[][] lfts, RoutingOptions nowOptions, int tasks) {
        if (!Objects.equals(options, nowOptions)) {
            return null;
        }
        SameChannels same = SameChannels.of(channels, now);
        return same == null || !same.haveSameSls()
                ? null
                : ChangedTraffic.of(same, DeadlockChecker.tables(channels), lfts, traffic, groups, tasks);
    }

    /** The numbers that channels of now had before; NONE for those that are new. */
    int[] numbersFor(SameChannels same) {
        int[] numbers = new int[same.is.channelCount()];
        Arrays.fill(numbers, Fabric.NONE);
        for (int link = 0; link < same.newLink.length; link++) {
            if (same.newLink[link] != Fabric.NONE) {
                System.arraycopy(
                        numbering, link * Channels.VLS, numbers, same.newLink[link] * Channels.VLS, Channels.VLS);
            }
        }
        return numbers;
    }

    /**
     * The number of a channel.
     *
     * @param port port index of the switch port by which packets leave
     * @param vl 0 to 15
     * @return {@link Fabric#NONE} if no packet uses it
     */
    public int number(int port, int vl) {
        if (port >= channels.firstPort[channels.switchCount]) {
            return Fabric.NONE;
        }
        int link = channels.link(channels.fabric.nodeOf(port), channels.fabric.portNum(port));
        return link == Fabric.NONE ? Fabric.NONE : numbering[link * Channels.VLS + vl];
    }

    /** The numbers by channel, NONE where no packet goes; a copy. */
    int[] numbering() {
        return numbering.clone();
    }

    /** All that packets wait for, multicast included. */
    synchronized ChannelDependencyGraph graph() {
        ChannelDependencyGraph all = graph;
        if (all == null) {
            all = groupTraffic == null ? unicast : unicast.with(groupTraffic);
            graph = all;
        }
        return all;
    }

    /** What packets to single destinations wait for. */
    ChannelDependencyGraph unicast() {
        return unicast;
    }

    /** LIDs that all switches but their own forward alike. */
    DestinationGroups groups() {
        return groups;
    }

    /** The tree for multicast that was proved together with the tables; null if there is none. */
    @Nullable
    MulticastTree multicast() {
        return multicast;
    }

    /**
     * Checks the numbers against tables, path by path: every SL that every end port may use to every LID, hop by hop,
     * and every way of a packet over the tree for multicast. This repeats nothing of how the numbers were found, and takes its time: minutes for thousands of switches.
     *
     * @return whether every path arrives, on numbered channels, and always upward
     */
    public boolean verify(Plan plan, RoutingOptions options) {
        Channels channels = new Channels(plan, options);
        PathTracer paths = new PathTracer(channels);
        for (int dlid = 1; dlid <= channels.subnet.topLid(); dlid++) {
            int destination = channels.subnet.switchOfLid(dlid);
            for (int from = 0; destination != Fabric.NONE && from < channels.switchCount; from++) {
                int sls = channels.localClasses[from].length == 0 ? 0 : plan.slMask(from, dlid) & 0xffff;
                if (sls != 0 && !(paths.follow(from, dlid) && leadsUpward(channels, paths, from, sls))) {
                    return false;
                }
            }
        }
        return multicast == null || new TreeWalk(channels, multicast, this).leadsUpward(plan.multicastSls());
    }

    private boolean leadsUpward(Channels channels, PathTracer paths, int from, int sls) {
        for (int local : channels.localClasses[from]) {
            for (int rest = sls; rest != 0; rest &= rest - 1) {
                int sl = Integer.numberOfTrailingZeros(rest);
                int highest = -1;
                for (int hop = 0; hop < paths.hops(); hop++) {
                    int port = channels.linkPort(paths.link(hop));
                    int before = highest;
                    for (int vls = paths.vls(hop, from, local, sl); vls != 0; vls &= vls - 1) {
                        int number = number(port, Integer.numberOfTrailingZeros(vls));
                        if (number <= before) {
                            return false;
                        }
                        highest = Math.max(highest, number);
                    }
                }
            }
        }
        return true;
    }

    /** Whether packets from and to ports 0 of switches are covered, not only those of hosts and groups. */
    public boolean coversSwitchPorts() {
        return !channels.plan.isForHostsAlone();
    }

    @Override
    public String text() {
        return (coversSwitchPorts() ? "" : "hosts and groups: ") + "free of credit loops: " + dependencyCount()
                + " dependencies between " + channelCount() + " channels, "
                + destinationCount() + " destination LIDs" + (multicast == null ? "" : ", multicast included")
                + (coversSwitchPorts() ? "" : "; with switch ports 0: not");
    }
}
