package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A proof that tables cannot deadlock: a number for every channel that packets use, such that on every path the
 * numbers go up. A packet then only ever waits for a channel with a higher number than those it holds, and whoever
 * holds the highest number waits for nobody. Anyone can check it with the tables in hand, see {@link #verify}.
 */
public final class Certificate implements Verdict {
    private final Plan plan;
    private final RoutingOptions options;
    private final boolean isIncremental;
    private final @Nullable MulticastTree multicast;

    /** Null until it is asked for. */
    private @Nullable Size size;

    /** Null until it is asked for, of what was proved in advance. */
    private volatile @Nullable Content content;

    /** Proves again what was proved in advance; null once that is done, or if it need not be. */
    private @Nullable Supplier<Verdict> again;

    /** With multicast; made when it is asked for. */
    private @Nullable ChannelDependencyGraph graph;

    /**
     * How much was proved.
     *
     * @param channels see {@link #channelCount}
     * @param dependencies see {@link #dependencyCount}
     * @param destinations see {@link #destinationCount}
     */
    public record Size(int channels, int dependencies, int destinations) {}

    /**
     * What is numbered, and how.
     *
     * @param numbering by channel, NONE where no packet goes
     */
    private record Content(
            ChannelDependencyGraph unicast,
            @Nullable MulticastDependencies groupTraffic,
            DestinationGroups groups,
            SlUsage traffic,
            int[] numbering) {
        Channels channels() {
            return unicast.channels;
        }

        Size size() {
            int used = (int) Arrays.stream(numbering)
                    .filter(number -> number != Fabric.NONE)
                    .count();
            int ofGroups = groupTraffic == null ? 0 : groupTraffic.edgeCount();
            return new Size(used, unicast.dependencyCount() + ofGroups, PathEnds.lids(channels().subnet));
        }
    }

    /**
     * A proof.
     *
     * @param numbering of all channels that packets use, of groups too
     * @param multicast the tree whose dependencies are {@code groupTraffic}; both null if there is none
     */
    public Certificate(
            ChannelDependencyGraph unicast,
            @Nullable MulticastDependencies groupTraffic,
            int[] numbering,
            PlanTraffic walked,
            @Nullable MulticastTree multicast) {
        plan = unicast.channels.plan;
        options = walked.options();
        isIncremental = walked.isIncremental();
        this.multicast = multicast;
        content = new Content(unicast, groupTraffic, walked.groups(), walked.traffic(), numbering);
    }

    /**
     * A proof that was made in advance, from the one before, of tables, SLs and SL2VL like these. Its numbers are found again when
     * somebody asks for them.
     *
     * @param size that it had then
     * @param again proves the plan from the same proof before
     */
    public Certificate(
            Plan plan, RoutingOptions options, @Nullable MulticastTree multicast, Size size, Supplier<Verdict> again) {
        this.plan = plan;
        this.options = options;
        this.multicast = multicast;
        this.size = size;
        this.again = again;
        isIncremental = true;
    }

    /**
     * What is numbered, and how.
     *
     * @throws IllegalStateException if what was proved in advance is not what is proved now, which is a defect
     */
    private Content content() {
        Content known = content;
        return known == null ? madeAgain() : known;
    }

    private synchronized Content madeAgain() {
        Content known = content;
        if (known == null) {
            Verdict verdict = Objects.requireNonNull(again, "a proof without numbers says how to find them")
                    .get();
            if (!(verdict instanceof Certificate certificate)
                    || !certificate.size().equals(size)) {
                throw new IllegalStateException("proved in advance: " + text() + "; proved now: " + verdict.text());
            }
            known = certificate.content();
            content = known;
            again = null;
        }
        return known;
    }

    /** How much was proved. */
    public synchronized Size size() {
        Size known = size;
        if (known == null) {
            known = content().size();
            size = known;
        }
        return known;
    }

    /** Virtual lanes of directed links between switches that packets use. */
    public int channelCount() {
        return size().channels();
    }

    /** Pairs of channels such that some packet may hold the first and wait for the second. */
    public int dependencyCount() {
        return size().dependencies();
    }

    /** Returns how many LIDs were walked to: those of switches, and of hosts at a switch or at both ends of a cable. */
    public int destinationCount() {
        return size().destinations();
    }

    /** Whether only paths were walked that changed since the proof before; what was not walked rests on that one. */
    public boolean isIncremental() {
        return isIncremental;
    }

    /** What was proved. */
    public Plan plan() {
        return plan;
    }

    /** The channels of a plan as it is programmed with some options; null if it is not the one that this was given to. */
    @Nullable
    public Channels channelsOf(Plan ofPlan, RoutingOptions with) {
        return plan == ofPlan && Objects.equals(options, with) ? content().channels() : null;
    }

    /** Whether another certificate is of the same plan and has the same channels and dependencies, whatever their numbers. */
    public boolean isSameProof(Certificate other) {
        return hasSamePaths(other)
                && (multicast == null) == (other.multicast == null)
                && dependencyCount() == other.dependencyCount();
    }

    /** The same but for multicast, for which numbers may lead to another tree. */
    private boolean hasSamePaths(Certificate other) {
        return plan == other.plan
                && options.equals(other.options)
                && Arrays.deepEquals(content().traffic().seen, other.content().traffic().seen)
                && unicast().hasSameDependencies(other.unicast());
    }

    /**
     * Proves as a whole once more what rests on a proof before. Pure.
     *
     * @return what comes of it if it is not the same; else empty
     */
    public String doubts(DeadlockChecker checker) {
        Verdict whole = checker.prove(plan, options).verdict();
        if (!(whole instanceof Certificate certificate)) {
            return whole.text();
        }
        return hasSamePaths(certificate)
                ? ""
                : certificate.dependencyCount() + " dependencies between " + certificate.channelCount()
                        + " channels, where " + dependencyCount() + " between " + channelCount() + " were found";
    }

    /**
     * The number of a channel.
     *
     * @param port port index of the switch port by which packets leave
     * @param vl 0 to 15
     * @return {@link Fabric#NONE} if no packet uses it
     */
    public int number(int port, int vl) {
        Channels channels = content().channels();
        if (port >= channels.firstPort[channels.switchCount]) {
            return Fabric.NONE;
        }
        int link = channels.link(channels.fabric.nodeOf(port), channels.fabric.portNum(port));
        return link == Fabric.NONE ? Fabric.NONE : content().numbering()[link * Channels.VLS + vl];
    }

    /** The numbers by channel, NONE where no packet goes. Must not be written. */
    public int[] numbering() {
        return content().numbering();
    }

    /** All that packets wait for, multicast included. */
    public synchronized ChannelDependencyGraph graph() {
        ChannelDependencyGraph all = graph;
        if (all == null) {
            MulticastDependencies groupTraffic = content().groupTraffic();
            all = groupTraffic == null ? unicast() : unicast().with(groupTraffic);
            graph = all;
        }
        return all;
    }

    /** What packets of groups wait for; null if there are none. */
    @Nullable
    public MulticastDependencies groupTraffic() {
        return content().groupTraffic();
    }

    /** What packets to single destinations wait for. */
    public ChannelDependencyGraph unicast() {
        return content().unicast();
    }

    /** The options that the tables are programmed with. */
    public RoutingOptions options() {
        return options;
    }

    /** The channels. */
    public Channels channels() {
        return content().channels();
    }

    /** The SLs of packets by switch, input and output. */
    public SlUsage traffic() {
        return content().traffic();
    }

    /** LIDs that all switches but their own forward alike. */
    public DestinationGroups groups() {
        return content().groups();
    }

    /** The tree for multicast that was proved together with the tables; null if there is none. */
    @Nullable
    public MulticastTree multicast() {
        return multicast;
    }

    /**
     * Checks the numbers against tables, path by path: every SL that every end port may use to every LID, hop by hop,
     * and every way of a packet over the tree for multicast. This repeats nothing of how the numbers were found, and takes its time: minutes for thousands of switches.
     *
     * @return whether every path arrives, on numbered channels, and always upward
     */
    public boolean verify(Plan written, RoutingOptions with) {
        Channels channels = new Channels(written, with);
        PathTracer paths = new PathTracer(channels);
        for (int dlid = 1; dlid <= channels.subnet.topLid(); dlid++) {
            int destination = channels.subnet.switchOfLid(dlid);
            for (int from = 0; destination != Fabric.NONE && from < channels.switchCount; from++) {
                int sls = channels.localClasses[from].length == 0 ? 0 : written.slMask(from, dlid) & 0xffff;
                if (sls != 0 && !(paths.follow(from, dlid) && leadsUpward(channels, paths, from, sls))) {
                    return false;
                }
            }
        }
        return multicast == null || new TreeWalk(channels, multicast, this).leadsUpward(written.multicastSls());
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
        return !plan.isForHostsAlone();
    }

    @Override
    public String text() {
        return (coversSwitchPorts() ? "" : "hosts and groups: ") + "free of credit loops: " + dependencyCount()
                + " dependencies between " + channelCount() + " channels, "
                + destinationCount() + " destination LIDs" + (multicast == null ? "" : ", multicast included")
                + (coversSwitchPorts() ? "" : "; with switch ports 0: not");
    }
}
