package io.torussm.sweep.state;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.discovery.UnansweredRequest;
import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state between sweeps. A sweep begins with such a state, and its result contains the next one. Programmed tables
 * are not a part of it: {@link io.torussm.program.Programmers} remembers them. Immutable.
 *
 * @param fabric fabric of the last discovery; null if the next one must read the whole fabric
 * @param subnet subnet with the LIDs of the last sweep; null before the first
 * @param view the published view; null until the first subnet is up, and while another SM is master
 * @param unansweredRequests unanswered requests of discovery
 * @param policy contents of the operator's files; null before the first routing
 * @param openWork work that is still due
 */
public record SweepState(
        @Nullable Fabric fabric,
        @Nullable Subnet subnet,
        @Nullable PublishedView view,
        List<UnansweredRequest> unansweredRequests,
        @Nullable Policy policy,
        OpenWork openWork) {
    /** The state before the first sweep. */
    public static final SweepState NOTHING = new SweepState(null, null, null, List.of(), null, OpenWork.NOTHING);

    /**
     * The contents of the operator's files at the last heavy sweep, which local sweeps use too.
     *
     * @param chain engines, with the contents of their files
     * @param proof the last proof, from which the next proof starts, even if its plan is not active; null if there is
     *     none
     */
    public record Policy(
            RoutingChain chain,
            PartitionSettings partitions,
            @Nullable Certificate proof) {
        /** Returns a copy with other partitions. */
        public Policy with(PartitionSettings other) {
            return new Policy(chain, other, proof);
        }

        /** Returns a copy with a newer proof. */
        public Policy with(Certificate newer) {
            return new Policy(chain, partitions, newer);
        }

        /** Returns a copy without a proof, so that the next proof is a whole one. */
        public Policy withoutProof() {
            return new Policy(chain, partitions, null);
        }
    }

    /**
     * The work that sweeps have left.
     *
     * @param isIncomplete whether writes are left from the last sweep, or from a later change of multicast groups
     * @param isInDoubt whether requests of local sweeps were unanswered that the last whole sweep did not have
     * @param failedKeys keys of the writes of the last sweep that devices did not accept; they are repeated at the pace
     *     of each device
     * @param isTakingOver whether another SM was master, whose LIDs are kept
     * @param reregistration ports that need ClientReregister
     * @param isUnfinished whether a sweep was preempted since the last publication; devices may contain a part of its
     *     tables
     */
    public record OpenWork(
            boolean isIncomplete,
            boolean isInDoubt,
            Set<?> failedKeys,
            boolean isTakingOver,
            Reregistration reregistration,
            boolean isUnfinished) {
        static final OpenWork NOTHING = new OpenWork(false, false, Set.of(), false, Reregistration.NONE, false);

        /** Checks whether the next light sweep is replaced by a sweep of the whole fabric. */
        public boolean isWholeSweepRequired() {
            return isIncomplete || isInDoubt;
        }

        private OpenWork incomplete() {
            return new OpenWork(true, isInDoubt, failedKeys, isTakingOver, reregistration, isUnfinished);
        }

        private OpenWork written(boolean inDoubt, Set<?> newerUndone) {
            return new OpenWork(false, inDoubt, newerUndone, isTakingOver, reregistration, isUnfinished);
        }

        private OpenWork takingOver() {
            return new OpenWork(isIncomplete, isInDoubt, failedKeys, true, reregistration, isUnfinished);
        }

        private OpenWork with(Reregistration newer) {
            return new OpenWork(isIncomplete, isInDoubt, failedKeys, isTakingOver, newer, isUnfinished);
        }

        private OpenWork unfinished(boolean isNow) {
            return new OpenWork(isIncomplete, isInDoubt, failedKeys, isTakingOver, reregistration, isNow);
        }
    }

    /** Returns the state after a discovery. */
    public SweepState read(Fabric newFabric, List<UnansweredRequest> newSilent) {
        return new SweepState(newFabric, subnet, view, newSilent, policy, openWork);
    }

    /**
     * Returns the state after answers to earlier unanswered requests. The next sweep waits for these devices as long as
     * for others.
     */
    public SweepState withoutAnswered(List<UnansweredRequest> unanswered) {
        List<UnansweredRequest> stillSilent = unansweredRequests.stream()
                .filter(request -> !unanswered.contains(request))
                .toList();
        return unanswered.isEmpty() ? this : new SweepState(fabric, subnet, view, stillSilent, policy, openWork);
    }

    /** Returns the state in which the whole fabric must be read. */
    public SweepState withWholeReadDue() {
        return new SweepState(null, subnet, view, unansweredRequests, policy, openWork);
    }

    /** Returns the state after the assignment of LIDs. */
    public SweepState addressed(Subnet newSubnet) {
        return new SweepState(fabric, newSubnet, view, unansweredRequests, policy, openWork);
    }

    /** Returns the state after the operator's files were read, or routes were proved. */
    public SweepState with(Policy newPolicy) {
        return new SweepState(fabric, subnet, view, unansweredRequests, newPolicy, openWork);
    }

    private SweepState with(OpenWork newLeft) {
        return new SweepState(fabric, subnet, view, unansweredRequests, policy, newLeft);
    }

    /**
     * Returns the state after the configuration of ports.
     *
     * @param unconfirmed PortGUIDs of ports that have not confirmed ClientReregister
     */
    public SweepState activated(Fabric newFabric, boolean isInDoubt, Set<?> newUndone, Set<Long> unconfirmed) {
        OpenWork current = openWork.written(isInDoubt, newUndone).with(openWork.reregistration.afterWrite(unconfirmed));
        return new SweepState(newFabric, subnet, view, unansweredRequests, policy, current);
    }

    /** Returns the state after publication; ClientReregister was written to every port that needed it. */
    public SweepState published(PublishedView newView) {
        OpenWork current = openWork.unfinished(false).with(openWork.reregistration.afterPublication());
        return new SweepState(fabric, subnet, newView, unansweredRequests, policy, current);
    }

    /** Returns the state with incomplete writes. */
    public SweepState incomplete() {
        return with(openWork.incomplete());
    }

    /** Returns the state after the preemption of a sweep. */
    public SweepState unfinished() {
        return with(openWork.unfinished(true));
    }

    /** Returns the state for a later takeover: another SM is master and may change the subnet. */
    public SweepState takingOver() {
        return with(openWork.takingOver());
    }

    /**
     * Returns the state in which all clients need ClientReregister, because they registered with another SM.
     */
    public SweepState reregistering() {
        return with(openWork.with(openWork.reregistration.ofAll()));
    }

    /**
     * Returns the state without a view, in which the whole fabric must be read, because another SM has become master
     * and programs it.
     */
    public SweepState afterMastership() {
        OpenWork current = openWork.incomplete().takingOver();
        return new SweepState(null, subnet, null, unansweredRequests, policy, current);
    }

    /** Returns the state with other members of partitions, as they are programmed at ports and published. */
    public SweepState repartitioned(PublishedView newView) {
        Policy current =
                policy == null ? null : policy.with(newView.partitions().settings());
        return new SweepState(fabric, subnet, newView, unansweredRequests, current, openWork);
    }

    /**
     * Returns the state with a changed fabric and view. Ports and cables are unchanged, so that routes and
     * LIDs remain.
     */
    public SweepState renewed(UnaryOperator<Fabric> change) {
        return new SweepState(
                fabric == null ? null : change.apply(fabric),
                subnet == null ? null : subnet.with(change.apply(subnet.fabric())),
                view == null ? null : view.on(change.apply(view.subnet().fabric())),
                unansweredRequests,
                policy,
                openWork);
    }

    /** Returns a copy without a proof, so that the next proof is a whole one. */
    public SweepState withoutProof() {
        return policy == null ? this : with(policy.withoutProof());
    }

    /** Returns the last discovered fabric; null if it is not published or work is left. */
    public @Nullable Fabric completedFabric() {
        boolean isLeft =
                openWork.isWholeSweepRequired() || !openWork.failedKeys().isEmpty();
        Fabric published = view == null ? null : view.subnet().fabric();
        return published != null && published.equals(fabric) && !isLeft ? published : null;
    }

    /** Checks whether a report can be handled by a local sweep. */
    public boolean allowsLocalSweep() {
        return view != null && fabric != null && !openWork.isIncomplete();
    }
}
