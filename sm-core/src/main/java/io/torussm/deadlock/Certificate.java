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
 * A proof that tables cannot deadlock: a number for every channel that packets use, such that the numbers ascend on
 * every path. A packet then waits only for a channel with a higher number than the channels that it occupies. Packets
 * in the channel with the highest number wait for no channel, so a cycle is impossible. {@link #verify} checks the
 * numbers against the tables. Thread-safe.
 */
public final class Certificate implements Verdict {
    private final Plan plan;
    private final RoutingOptions options;
    private final boolean isIncremental;
    private final @Nullable MulticastTree multicast;

    /** Null until the first use of the size. */
    private @Nullable Size size;

    /** Null until the first use of the numbers if the plan was proved in advance. */
    private volatile @Nullable Content content;

    /** Repeats the proof that was made in advance; null after the repetition, or if none is necessary. */
    private @Nullable Supplier<Verdict> prover;

    /** The dependencies of unicast and multicast; null until their first use. */
    private @Nullable ChannelDependencyGraph graph;

    /**
     * The size of a proof.
     *
     * @param channels see {@link #channelCount}
     * @param dependencies see {@link #dependencyCount}
     * @param destinations see {@link #destinationCount}
     */
    public record Size(int channels, int dependencies, int destinations) {}

    /**
     * The dependencies and numbers of a proof.
     *
     * @param groupTraffic dependencies of multicast; null without a tree
     * @param numbering [channel] number, NONE for a channel that no packet uses
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
            return new Size(used, unicast.dependencyCount() + ofGroups, PathEnds.lidCount(channels().subnet));
        }
    }

    /**
     * Creates a certificate.
     *
     * @param numbering [channel] number, NONE for a channel that neither unicast nor multicast uses
     * @param multicast the tree whose dependencies are {@code groupTraffic}; both null if the proof covers no tree
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
     * Creates a certificate of a plan whose tables, SLs and SL2VL were proved in advance. The numbers are computed at
     * their first use.
     *
     * @param size the size of the proof that was made in advance
     * @param again proves the plan on the basis of the earlier proof from which the proof in advance was made
     */
    public Certificate(
            Plan plan, RoutingOptions options, @Nullable MulticastTree multicast, Size size, Supplier<Verdict> again) {
        this.plan = plan;
        this.options = options;
        this.multicast = multicast;
        this.size = size;
        this.prover = again;
        isIncremental = true;
    }

    /**
     * Returns the dependencies and numbers. If the plan was proved in advance, the first call proves it again.
     *
     * @throws IllegalStateException if the sizes of the two proofs differ, which is a defect
     */
    private Content content() {
        Content known = content;
        return known == null ? recomputeContent() : known;
    }

    private synchronized Content recomputeContent() {
        Content known = content;
        if (known == null) {
            Verdict verdict = Objects.requireNonNull(prover, "a proof without numbers says how to find them")
                    .get();
            if (!(verdict instanceof Certificate certificate)
                    || !certificate.size().equals(size)) {
                throw new IllegalStateException("proved in advance: " + text() + "; proved now: " + verdict.text());
            }
            known = certificate.content();
            content = known;
            prover = null;
        }
        return known;
    }

    /** Returns the size of the proof. */
    public synchronized Size size() {
        Size known = size;
        if (known == null) {
            known = content().size();
            size = known;
        }
        return known;
    }

    /** Returns the number of channels (virtual lanes of directed links between switches) that packets use. */
    public int channelCount() {
        return size().channels();
    }

    /**
     * Returns the number of pairs of channels such that a packet may occupy the first and wait for the
     * second.
     */
    public int dependencyCount() {
        return size().dependencies();
    }

    /**
     * Returns the number of destination LIDs of the proof: those of switches, of hosts at a switch, and of two hosts at
     * the ends of one cable.
     */
    public int destinationCount() {
        return size().destinations();
    }

    /** Checks whether only changed paths were walked. The proof of all other paths is then the earlier proof. */
    public boolean isIncremental() {
        return isIncremental;
    }

    /** Returns the plan that was proved. */
    public Plan plan() {
        return plan;
    }

    /**
     * Returns the channels of this proof; null if the proof is for another plan than {@code ofPlan} (by identity) or
     * other options.
     */
    @Nullable
    public Channels channelsOf(Plan ofPlan, RoutingOptions with) {
        return plan == ofPlan && Objects.equals(options, with) ? content().channels() : null;
    }

    /**
     * Checks whether another certificate is for the same plan and has the same channels and dependencies.
     * Numbers may differ.
     */
    public boolean isSameProof(Certificate other) {
        return hasSamePaths(other)
                && (multicast == null) == (other.multicast == null)
                && dependencyCount() == other.dependencyCount();
    }

    /**
     * Checks whether another certificate is for the same plan and has the same channels and dependencies of unicast.
     * Multicast is not compared, because different numbers may lead to different trees.
     */
    private boolean hasSamePaths(Certificate other) {
        return plan == other.plan
                && options.equals(other.options)
                && Arrays.deepEquals(content().traffic().slSets, other.content().traffic().slSets)
                && unicast().hasSameDependencies(other.unicast());
    }

    /**
     * Proves the whole plan again, to confirm an incremental proof. Pure.
     *
     * @return the difference or fault that was found; empty if the proofs agree
     */
    public String fullProofDifference(DeadlockChecker checker) {
        Verdict wholeVerdict = checker.prove(plan, options).verdict();
        if (!(wholeVerdict instanceof Certificate certificate)) {
            return wholeVerdict.text();
        }
        return hasSamePaths(certificate)
                ? ""
                : certificate.dependencyCount() + " dependencies between " + certificate.channelCount()
                        + " channels, where " + dependencyCount() + " between " + channelCount() + " were found";
    }

    /**
     * Returns the number of a channel.
     *
     * @param port port index of the egress port of a switch
     * @param vl 0 to 15
     * @return {@link Fabric#NONE} if no packet uses the channel, or the port has no cable to another switch
     */
    public int number(int port, int vl) {
        Channels channels = content().channels();
        if (port >= channels.firstPort[channels.switchCount]) {
            return Fabric.NONE;
        }
        int link = channels.link(channels.fabric.nodeOf(port), channels.fabric.portNum(port));
        return link == Fabric.NONE ? Fabric.NONE : content().numbering()[link * Channels.VLS + vl];
    }

    /** Returns [channel] its number, NONE for a channel that no packet uses. Callers must not write the array. */
    public int[] numbering() {
        return content().numbering();
    }

    /** Returns the dependencies of unicast and multicast. */
    public synchronized ChannelDependencyGraph graph() {
        ChannelDependencyGraph all = graph;
        if (all == null) {
            MulticastDependencies groupTraffic = content().groupTraffic();
            all = groupTraffic == null ? unicast() : unicast().with(groupTraffic);
            graph = all;
        }
        return all;
    }

    /** Returns the dependencies of multicast; null if there is no tree. */
    @Nullable
    public MulticastDependencies groupTraffic() {
        return content().groupTraffic();
    }

    /** Returns the dependencies of unicast. */
    public ChannelDependencyGraph unicast() {
        return content().unicast();
    }

    /** Returns the options with which the tables are programmed. */
    public RoutingOptions options() {
        return options;
    }

    /** Returns the links of the plan's fabric, in whose numbers the channels of the proof are given. */
    public Channels channels() {
        return content().channels();
    }

    /** Returns the SLs of packets by switch, ingress class, out and next hop. */
    public SlUsage traffic() {
        return content().traffic();
    }

    /** Returns the groups of LIDs that all switches but the switch of the LIDs forward alike. */
    public DestinationGroups groups() {
        return content().groups();
    }

    /** Returns the tree for multicast that was proved together with the tables; null if there is none. */
    @Nullable
    public MulticastTree multicast() {
        return multicast;
    }

    /**
     * Checks the numbers against tables, path by path. The paths are every SL of every end port to every LID, and every
     * path of a packet on the tree for multicast. The check does not depend on the way in which the numbers were found.
     * The check takes minutes for thousands of switches.
     *
     * @param written the plan whose tables are checked
     * @param with the options with which these tables are programmed
     * @return whether every packet arrives, uses numbered channels only, and their numbers ascend
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
                    int previousHighest = highest;
                    for (int vls = paths.vls(hop, from, local, sl); vls != 0; vls &= vls - 1) {
                        int number = number(port, Integer.numberOfTrailingZeros(vls));
                        if (number <= previousHighest) {
                            return false;
                        }
                        highest = Math.max(highest, number);
                    }
                }
            }
        }
        return true;
    }

    /**
     * Checks whether the proof covers packets from and to ports 0 of switches, in addition to packets of hosts and
     * multicast groups.
     */
    public boolean coversSwitchPorts() {
        return !plan.isForHostsOnly();
    }

    @Override
    public String text() {
        return (coversSwitchPorts() ? "" : "hosts and groups: ") + "free of credit loops: " + dependencyCount()
                + " dependencies between " + channelCount() + " channels, "
                + destinationCount() + " destination LIDs" + (multicast == null ? "" : ", multicast included")
                + (coversSwitchPorts() ? "" : "; with switch ports 0: not");
    }
}
