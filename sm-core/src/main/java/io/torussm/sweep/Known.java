package io.torussm.sweep;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.RoutingChain;
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
 * What is known between sweeps: a sweep is given one, and its result holds the next. What devices hold is not here, but with
 * the programmers.
 *
 * @param fabric as it was read last; null if it has to be read as a whole
 * @param subnet with the addresses that the last sweep gave; null before the first
 * @param view what is published; null until the first subnet is up, and while another SM is master
 * @param silent what devices did not tell
 * @param policy what the operator's files said; null before the first routing
 * @param left what is left to do
 */
record Known(
        @Nullable Fabric fabric,
        @Nullable Subnet subnet,
        @Nullable PublishedView view,
        List<Unanswered> silent,
        @Nullable Policy policy,
        Left left) {
    static final Known NOTHING = new Known(null, null, null, List.of(), null, Left.NOTHING);

    /**
     * What the operator's files said when the last heavy sweep read them; local sweeps go on with it.
     *
     * @param proof the last one that was made, whether its plan is in force or not: the next begins with it; null if there is none
     */
    record Policy(
            RoutingChain chain,
            PartitionSettings partitions,
            @Nullable Certificate proof) {
        Policy with(PartitionSettings other) {
            return new Policy(chain, other, proof);
        }

        Policy with(Certificate newer) {
            return new Policy(chain, partitions, newer);
        }

        Policy withoutProof() {
            return new Policy(chain, partitions, null);
        }
    }

    /**
     * What sweeps have left to do.
     *
     * @param isIncomplete whether the last sweep, or a change of groups since, left something
     * @param isInDoubt whether something was silent while only a part was read, of which the last whole sweep knew nothing
     * @param undone what devices did not take of what the last sweep wrote, to be tried again at the pace of each
     * @param isTakingOver whether another SM has been master here: its LIDs stay as they are
     * @param reregistration who is to be asked for what they registered
     * @param isUnfinished whether a sweep gave way to a report since the last one that published: devices may hold a part of what it wrote
     */
    record Left(
            boolean isIncomplete,
            boolean isInDoubt,
            Set<?> undone,
            boolean isTakingOver,
            Reregistration reregistration,
            boolean isUnfinished) {
        static final Left NOTHING = new Left(false, false, Set.of(), false, Reregistration.NONE, false);

        /** Whether the whole fabric is to be swept when there is time for it. */
        boolean isAnything() {
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

    /** The fabric was read. */
    Known read(Fabric newer, List<Unanswered> newerSilent) {
        return new Known(newer, subnet, view, newerSilent, policy, left);
    }

    /** Something that was not told is told by now: the next sweep waits for it as for anything else. */
    Known heard(List<Unanswered> told) {
        List<Unanswered> rest =
                silent.stream().filter(what -> !told.contains(what)).toList();
        return told.isEmpty() ? this : new Known(fabric, subnet, view, rest, policy, left);
    }

    /** The fabric has to be read as a whole. */
    Known unread() {
        return new Known(null, subnet, view, silent, policy, left);
    }

    /** Addresses were given. */
    Known addressed(Subnet newer) {
        return new Known(fabric, newer, view, silent, policy, left);
    }

    /** The files were read, or routes proved. */
    Known with(Policy newer) {
        return new Known(fabric, subnet, view, silent, newer, left);
    }

    private Known with(Left newer) {
        return new Known(fabric, subnet, view, silent, policy, newer);
    }

    /** The ports answered when they were configured; some have not confirmed that they were asked to register anew. */
    Known activated(Fabric newer, boolean isInDoubt, Set<?> newerUndone, Set<Long> unconfirmed) {
        Left now = left.written(isInDoubt, newerUndone).with(left.reregistration.asked(unconfirmed));
        return new Known(newer, subnet, view, silent, policy, now);
    }

    /** The subnet is up, and every client that had to register anew was asked to. */
    Known published(PublishedView newer) {
        Left now = left.unfinished(false).with(left.reregistration.published());
        return new Known(fabric, subnet, newer, silent, policy, now);
    }

    /** Something is left to do. */
    Known incomplete() {
        return with(left.incomplete());
    }

    /** A sweep gave way to a report. */
    Known unfinished() {
        return with(left.unfinished(true));
    }

    /** Another SM is master, and will have changed things when this one is. */
    Known takingOver() {
        return with(left.takingOver());
    }

    /** Clients are to be asked for what they registered with another SM. */
    Known reregistering() {
        return with(left.with(left.reregistration.ofAll()));
    }

    /** Nothing is published, and the fabric has to be read as a whole: another SM writes to it from now on. */
    Known givenWay() {
        Left now = left.incomplete().takingOver();
        return new Known(null, subnet, null, silent, policy, now);
    }

    /** Partitions have other members, and what ports hold is published. */
    Known repartitioned(PublishedView newer) {
        Policy now = policy == null ? null : policy.with(newer.partitions().settings());
        return new Known(fabric, subnet, newer, silent, now, left);
    }

    /** What is known, and published, is changed; not its ports and cables, so that routes and addresses stay. */
    Known renewed(UnaryOperator<Fabric> change) {
        return new Known(
                fabric == null ? null : change.apply(fabric),
                subnet == null ? null : subnet.with(change.apply(subnet.fabric())),
                view == null ? null : view.on(change.apply(view.subnet().fabric())),
                silent,
                policy,
                left);
    }
}
