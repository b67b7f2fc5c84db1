package io.torussm.sweep;

import io.torussm.discovery.Unanswered;
import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.program.Programmers;
import io.torussm.tree.FabricTree;
import io.torussm.view.FabricState;
import io.torussm.view.LossEvents;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What is known between sweeps, and what readers see of it: the one place where either changes. Owner thread: the loop; the view and the
 * state may be read by any thread.
 */
final class Knowledge implements Programmers.GroupListener {
    private static final EventLog EVENTS = EventLog.of(Knowledge.class);

    private final SweepContext parts;

    private final WrongTreeCables cabling = new WrongTreeCables();

    private volatile Known known = Known.NOTHING;
    private volatile FabricState state = FabricState.NOTHING;

    Knowledge(SweepContext parts) {
        this.parts = parts;
    }

    /** What is known. */
    Known now() {
        return known;
    }

    /** What is published; null until the first subnet is up. May be called from any thread. */
    @Nullable
    PublishedView view() {
        return known.view();
    }

    /** What rules, what was found last, and their difference. May be called from any thread. */
    FabricState state() {
        return state.on(known.view());
    }

    /**
     * A sweep is over; one that is superseded leaves only that it gave way.
     *
     * @param seen what it found; null if nobody knows
     * @param isLeftOut checks whether the subnet does without a port
     */
    void ended(SweepResult result, FabricStates.@Nullable Seen seen, Predicate<NodePort> isLeftOut) {
        if (result.end() == SweepCounts.End.SUPERSEDED) {
            known = known.unfinished();
        } else {
            know(result.known(), result.isPublished());
        }
        if (seen != null && !result.end().isContinued()) {
            look(result, seen, isLeftOut);
        }
    }

    /** A sweep was cancelled that had come to know something. */
    void cancelled(Known newer) {
        know(newer, false);
    }

    /** What groups left to do while a sweep ran is left to do unless it wrote everything. */
    private void know(Known newer, boolean isAllWritten) {
        known = known.left().isIncomplete() && !isAllWritten ? newer.incomplete() : newer;
    }

    private void look(SweepResult result, FabricStates.Seen seen, Predicate<NodePort> isLeftOut) {
        FabricState before = state;
        Instant now = parts.loop().timeOfDay();
        state = FabricStates.after(before, result, seen, isLeftOut, parts.memory(), now);
        PlacedSubnet found = state.found();
        FabricTree tree = found == null ? null : found.tree();
        if (tree != null) {
            cabling.look(tree);
        }
        List<Finding> changes = changes(before, state);
        parts.cables().look(before, state, now);
        parts.listener().looked(before, state, now);
        if (!changes.isEmpty()) {
            changes.forEach(EVENTS::report);
            parts.listener().fabricChanged(changes);
        }
    }

    /** Returns what was lost and what is back; at the first look what was lost while no SM looked. */
    private List<Finding> changes(FabricState before, FabricState after) {
        PlacedSubnet found = after.found();
        if (found == null) {
            return List.of();
        } else if (before.found() == null) {
            return parts.cables().unknown(after.absences()).stream()
                    .map(loss -> LossEvents.standing(loss, found))
                    .toList();
        }
        List<Finding> changes = new ArrayList<>(LossEvents.between(before.absences(), after.absences(), found));
        changes.addAll(HostChanges.between(before, after));
        return changes;
    }

    /** Devices that were silent answered a light sweep. */
    void heard(List<Unanswered> again) {
        known = known.heard(again);
    }

    /** Devices were read apart from a sweep; ports and cables are as before. */
    void renewed(UnaryOperator<Fabric> change) {
        known = known.renewed(change);
        state = state.on(known.view());
    }

    /**
     * Partitions have other members, and ports hold that.
     *
     * @param isLeft whether a sweep has to write something again
     */
    void repartitioned(PublishedView view, boolean isLeft) {
        Known now = known.repartitioned(view);
        known = isLeft ? now.incomplete() : now;
        state = state.on(view);
        parts.listener().partitionsChanged(view);
    }

    @Override
    public void programmed() {
        parts.listener().multicastProgrammed();
    }

    @Override
    public void incomplete() {
        known = known.incomplete();
    }

    /** Clients are to be asked for what they registered with another SM. */
    void reregistering() {
        known = known.reregistering();
    }

    /** The next proof is a whole one. */
    void distrustProof() {
        Known.Policy policy = known.policy();
        if (policy != null) {
            known = known.with(policy.withoutProof());
        }
    }

    /** Another SM is master, and whatever this one knows will be out of date when it is master again. */
    void givenWay() {
        known = known.givenWay();
        state = FabricState.NOTHING;
        cabling.forget();
    }
}
