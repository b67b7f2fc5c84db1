package io.torussm.sweep.state;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.discovery.Unanswered;
import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionSettings;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state between sweeps: a sweep begins with one, and its result contains the next. Programmed tables are
 * not part of it; the programmers have them.
 *
 * @param fabric fabric of the last discovery; null if the next one must read the whole fabric
 * @param subnet subnet with the LIDs of the last sweep; null before the first
 * @param view the published view; null until the first subnet is up, and while another SM is master
 * @param silent unanswered requests
 * @param policy contents of the operator's files; null before the first routing
 * @param left work that is still due
 */
public record SweepState(
        @Nullable Fabric fabric,
        @Nullable Subnet subnet,
        @Nullable PublishedView view,
        List<Unanswered> silent,
        @Nullable Policy policy,
        Left left) {
    /** The state before the first sweep. */
    public static final SweepState NOTHING = new SweepState(null, null, null, List.of(), null, Left.NOTHING);

    /**
     * The contents of the operator's files at the last heavy sweep; local sweeps use the same.
     *
     * @param proof the last proof, even if its plan is not active; the next proof starts from it; null if
     * there is none
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
     * @param isIncomplete whether the last sweep, or a change of groups since, left writes
     * @param isInDoubt whether requests were unanswered while only a part was read, and the last whole sweep
     * did not know of them
     * @param undone writes of the last sweep that devices did not accept; they are repeated at the pace of
     * each device
     * @param isTakingOver whether another SM was master: its LIDs are kept
     * @param reregistration ports that need ClientReregister
     * @param isUnfinished whether a sweep was preempted since the last publication: devices may have a part
     * of its tables
     */
    public record Left(
            boolean isIncomplete,
            boolean isInDoubt,
            Set<?> undone,
            boolean isTakingOver,
            Reregistration reregistration,
            boolean isUnfinished) {
        static final Left NOTHING = new Left(false, false, Set.of(), false, Reregistration.NONE, false);

        /** Checks whether a sweep of the whole fabric is due when there is time. */
        public boolean isAnything() {
            return isIncomplete || isInDoubt;
        }

        private Left incomplete() {
            return new Left(true, isInDoubt, undone, isTakingOver, reregistration, isUnfinished);
        }

        private Left written(boolean inDoubt, Set<?> newerUndone) {
            return new Left(false, inDoubt, newerUndone, isTakingOver, reregistration, isUnfinished);
        }

        private Left takingOver() {
            return new Left(isIncomplete, isInDoubt, undone, true, reregistration, isUnfinished);
        }

        private Left with(Reregistration newer) {
            return new Left(isIncomplete, isInDoubt, undone, isTakingOver, newer, isUnfinished);
        }

        private Left unfinished(boolean isNow) {
            return new Left(isIncomplete, isInDoubt, undone, isTakingOver, reregistration, isNow);
        }
    }

    /** Returns the state after a discovery. */
    public SweepState read(Fabric newer, List<Unanswered> newerSilent) {
        return new SweepState(newer, subnet, view, newerSilent, policy, left);
    }

    /**
     * Returns the state after answers to earlier unanswered requests: the next sweep waits for these devices
     * like for others.
     */
    public SweepState heard(List<Unanswered> unanswered) {
        List<Unanswered> rest =
                silent.stream().filter(request -> !unanswered.contains(request)).toList();
        return unanswered.isEmpty() ? this : new SweepState(fabric, subnet, view, rest, policy, left);
    }

    /** Returns the state in which the whole fabric must be read. */
    public SweepState unread() {
        return new SweepState(null, subnet, view, silent, policy, left);
    }

    /** Returns the state after the assignment of LIDs. */
    public SweepState addressed(Subnet newer) {
        return new SweepState(fabric, newer, view, silent, policy, left);
    }

    /** Returns the state after the operator's files were read, or routes were proved. */
    public SweepState with(Policy newer) {
        return new SweepState(fabric, subnet, view, silent, newer, left);
    }

    private SweepState with(Left newer) {
        return new SweepState(fabric, subnet, view, silent, policy, newer);
    }

    /** Returns the state after the configuration of ports; some may not have confirmed ClientReregister. */
    public SweepState activated(Fabric newer, boolean isInDoubt, Set<?> newerUndone, Set<Long> unconfirmed) {
        Left current = left.written(isInDoubt, newerUndone).with(left.reregistration.asked(unconfirmed));
        return new SweepState(newer, subnet, view, silent, policy, current);
    }

    /** Returns the state after publication; every client that had to register again was asked. */
    public SweepState published(PublishedView newer) {
        Left current = left.unfinished(false).with(left.reregistration.published());
        return new SweepState(fabric, subnet, newer, silent, policy, current);
    }

    /** Returns the state with incomplete writes. */
    public SweepState incomplete() {
        return with(left.incomplete());
    }

    /** Returns the state after the preemption of a sweep. */
    public SweepState unfinished() {
        return with(left.unfinished(true));
    }

    /** Returns the state for a takeover: another SM is master, and will have made changes. */
    public SweepState takingOver() {
        return with(left.takingOver());
    }

    /**
     * Returns the state in which all clients need ClientReregister, because they registered with another SM.
     */
    public SweepState reregistering() {
        return with(left.with(left.reregistration.ofAll()));
    }

    /**
     * Returns the state without a view, in which the whole fabric must be read, because another SM programs
     * it from now on.
     */
    public SweepState givenWay() {
        Left current = left.incomplete().takingOver();
        return new SweepState(null, subnet, null, silent, policy, current);
    }

    /** Returns the state with other members of partitions, as they are programmed at ports and published. */
    public SweepState repartitioned(PublishedView newer) {
        Policy current = policy == null ? null : policy.with(newer.partitions().settings());
        return new SweepState(fabric, subnet, newer, silent, current, left);
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
                silent,
                policy,
                left);
    }

    /** Returns a copy without a proof, so that the next proof is a whole one. */
    public SweepState withoutProof() {
        return policy == null ? this : with(policy.withoutProof());
    }

    /** Returns the last discovered fabric if it is published and no work is left; else null. */
    public @Nullable Fabric completedFabric() {
        boolean isLeft = left.isAnything() || !left.undone().isEmpty();
        Fabric published = view == null ? null : view.subnet().fabric();
        return published != null && published.equals(fabric) && !isLeft ? published : null;
    }

    /** Checks whether a report can be handled by a local sweep. */
    public boolean allowsLocalSweep() {
        return view != null && fabric != null && !left.isIncomplete();
    }
}
