package io.torussm.deadlock.incremental;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.ChannelDependencyGraph;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DeadlockChecker.Proof;
import io.torussm.deadlock.DeadlockChecker.TrafficSource;
import io.torussm.deadlock.DeadlockChecker.TreeSource;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.deadlock.MulticastDependencies;
import io.torussm.deadlock.PlanTraffic;
import io.torussm.deadlock.SlUsage;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of a plan that differs little from an earlier plan with a certificate. {@link DeadlockChecker} proves the
 * plan from this traffic without a walk of all trees.
 *
 * @param options options with which the tables of both plans are programmed
 * @param previousProof the earlier certificate
 * @param update the traffic, and its differences from the earlier traffic
 * @param tasks number of parallel parts, at least 1
 */
public record IncrementalProof(
        RoutingOptions options, Certificate previousProof, ChangedTraffic.TrafficUpdate update, int tasks)
        implements PlanTraffic {

    /**
     * Proves a plan from the certificate of an earlier plan: only changed paths are walked. Verdict, channels and
     * dependencies are those of {@link DeadlockChecker#prove(Plan, RoutingOptions, TreeSource)}; the
     * numbers of channels may differ. If too much changed, if SLs or SL2VL changed, or if tables lose packets, all
     * paths are walked.
     *
     * @param previousProof certificate of an earlier plan, of any age; null to walk all paths
     */
    public static Proof prove(
            DeadlockChecker checker,
            Plan plan,
            RoutingOptions options,
            @Nullable Certificate previousProof,
            TreeSource trees) {
        return previousProof == null
                ? checker.prove(plan, options, trees)
                : checker.prove(plan, options, source(options, previousProof, checker.tasks()), trees);
    }

    /**
     * Returns a source of the traffic of plans that differ little from an earlier plan.
     *
     * @param previousProof certificate of the earlier plan; null for a source without traffic
     * @param tasks number of parallel parts, at least 1
     */
    public static TrafficSource source(RoutingOptions options, @Nullable Certificate previousProof, int tasks) {
        return previousProof == null
                ? TrafficSource.NONE
                : (channels, lfts) -> of(previousProof, channels, lfts, options, tasks);
    }

    private static @Nullable PlanTraffic of(
            Certificate previousProof, Channels current, byte[][] lfts, RoutingOptions options, int tasks) {
        if (!Objects.equals(previousProof.options(), options)) {
            return null;
        }
        Channels oldChannels = previousProof.channels();
        SameChannels same = SameChannels.of(oldChannels, current, tasks);
        ChangedTraffic.TrafficUpdate changed = same == null || !same.haveSameSls()
                ? null
                : ChangedTraffic.of(
                        same,
                        DeadlockChecker.tables(oldChannels),
                        lfts,
                        previousProof.traffic(),
                        previousProof.groups(),
                        tasks);
        return changed == null ? null : new IncrementalProof(options, previousProof, changed, tasks);
    }

    @Override
    public SlUsage traffic() {
        return update.traffic();
    }

    @Override
    public DestinationGroups groups() {
        return update.groups();
    }

    @Override
    public boolean isIncremental() {
        return true;
    }

    @Override
    public ChannelDependencyGraph graph() {
        return ChangedGraph.of(traffic(), previousProof.unicast(), update.sameChannels(), update.changed(), tasks);
    }

    /**
     * Checks whether a switch around which something changed discards packets. All other switches discard none, as the
     * earlier certificate proves.
     */
    @Override
    public boolean isAnyDiscarded() {
        SlUsage traffic = traffic();
        BitSet kept = (BitSet) update.sameChannels().keptShape.clone();
        kept.andNot(update.changed());
        for (int sw = kept.nextClearBit(0); sw < traffic.channels.switchCount; sw = kept.nextClearBit(sw + 1)) {
            if (traffic.discardedSls(sw) != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Raises the earlier numbers where an edge does not lead upward. If that is too much work, numbers all channels.
     */
    @Override
    public int @Nullable [] numbering(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic) {
        int[] numbers = earlierNumbers();
        return switch (RaisedNumbers.fit(unicast, groupTraffic, numbers, tasks)) {
            case FITTING -> numbers;
            case CYCLE -> null;
            case TOO_MUCH_WORK -> unicast.numbering(groupTraffic);
        };
    }

    /** Returns [channel] its number in the earlier certificate; NONE if the channel is new or was unused. */
    private int[] earlierNumbers() {
        SameChannels same = update.sameChannels();
        int[] numbering = previousProof.numbering();
        int[] numbers = new int[same.newChannels.channelCount()];
        Arrays.fill(numbers, Fabric.NONE);
        for (int link = 0; link < same.newLink.length; link++) {
            if (same.newLink[link] != Fabric.NONE) {
                System.arraycopy(
                        numbering, link * Channels.VLS, numbers, same.newLink[link] * Channels.VLS, Channels.VLS);
            }
        }
        return numbers;
    }
}
