package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.program.Programmers;
import io.torussm.sweep.idle.ReadyPlans;
import io.torussm.sweep.stages.RestartedSwitch;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.sweep.state.FabricStates;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepResult;
import io.torussm.sweep.state.SweepState;
import io.torussm.tree.FabricTree;
import io.torussm.view.FabricState;
import io.torussm.view.LossEvents;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The state between sweeps ({@link SweepState}) and the state that readers see ({@link FabricState}). No other
 * class changes either. Owner thread: the loop; the view and the fabric state may be read by any thread.
 */
final class Knowledge implements Programmers.GroupListener {

    /** Limit of the restarted switches that have an event in one read; the history has all. */
    private static final int MAX_NAMED = 8;

    private final SweepContext parts;

    private final WrongTreeCables cabling = new WrongTreeCables();

    /**
     * Restarts that were reported since the last sweep that was not preempted. The sweep after a preempted one
     * finds the same restarts, which are not reported twice.
     */
    private final Set<Finding> restarts = new HashSet<>();

    private volatile SweepState sweepState = SweepState.NOTHING;
    private volatile FabricState state = FabricState.NOTHING;

    Knowledge(SweepContext parts) {
        this.parts = parts;
    }

    /**
     * Returns the present state for a sweep.
     *
     * @param ready precomputed plans; null if there are none
     * @param number number of the sweep, counted from 1
     */
    SweepStart start(@Nullable ReadyPlans ready, long number, boolean isLocal) {
        return new SweepStart(sweepState, state(), ready, number, isLocal, this::onRestart);
    }

    private void onRestart(List<RestartedSwitch> switches) {
        List<RestartedSwitch> unreported = switches.stream()
                .filter(restarted -> restarts.add(restarted.finding()))
                .toList();
        if (!unreported.isEmpty()) {
            parts.cables()
                    .noteRestarts(
                            parts.loop().timeOfDay(),
                            unreported.get(0).subnet(),
                            unreported.stream().map(RestartedSwitch::node).toList());
            parts.changed(unreported.stream()
                    .map(RestartedSwitch::finding)
                    .limit(MAX_NAMED)
                    .toList());
        }
    }

    /** Returns the present state. */
    SweepState sweepState() {
        return sweepState;
    }

    /** Returns the published view; null until the first subnet is up. May be called from any thread. */
    @Nullable
    PublishedView view() {
        return sweepState.view();
    }

    /**
     * Returns the fabric state: the active routes, the last discovery, and their difference. May be called
     * from any thread.
     */
    FabricState state() {
        return state.on(sweepState.view());
    }

    /**
     * Handles the end of a sweep. If the sweep was superseded, only the preemption is recorded.
     *
     * @param seen the discovered state; null if there is none
     * @param isLeftOut checks whether a port is excluded from the subnet
     */
    void onSweepEnd(SweepResult result, FabricStates.@Nullable SweepObservation seen, Predicate<NodePort> isLeftOut) {
        if (result.end() == SweepCounts.SweepEnd.SUPERSEDED) {
            sweepState = sweepState.unfinished();
        } else {
            replace(result.known(), result.isPublished());
        }
        parts.remembered().forget();
        if (seen != null && !result.end().isContinued()) {
            updateFabricState(result, seen, isLeftOut);
        }
    }

    /** Handles the cancellation of a sweep; its discovery is kept. */
    void onSweepCancelled(SweepState newState) {
        replace(newState, false);
        parts.remembered().forget();
    }

    /** Replaces the state. Writes that multicast groups still need remain due, unless the sweep wrote everything. */
    private void replace(SweepState newState, boolean isAllWritten) {
        restarts.clear();
        sweepState = sweepState.openWork().isIncomplete() && !isAllWritten ? newState.incomplete() : newState;
    }

    private void updateFabricState(
            SweepResult result, FabricStates.SweepObservation seen, Predicate<NodePort> isLeftOut) {
        FabricState previousState = state;
        Instant now = parts.loop().timeOfDay();
        state = FabricStates.after(previousState, result, seen, isLeftOut, parts.memory(), now);
        PlacedSubnet found = state.found();
        FabricTree tree = found == null ? null : found.tree();
        if (tree != null) {
            cabling.update(tree);
        }
        List<Finding> changes = changes(previousState, state, now);
        parts.cables().record(previousState, state, now);
        parts.listener().accept(new SweepEvent.FabricRead(previousState, state, now));
        parts.changed(changes);
    }

    /**
     * Returns the findings for devices and cables that were lost or came back between two states. For the first
     * state with a fabric, returns the losses that happened while no SM was running.
     */
    private List<Finding> changes(FabricState previousState, FabricState after, Instant at) {
        PlacedSubnet found = after.found();
        if (found == null) {
            return List.of();
        } else if (previousState.found() == null) {
            return parts.cables().unknown(after.absences()).stream()
                    .map(loss -> LossEvents.openLoss(loss, found))
                    .toList();
        }
        List<Finding> changes =
                new ArrayList<>(LossEvents.between(previousState.absences(), after.absences(), found, at));
        changes.addAll(HostChanges.between(previousState, after, at));
        return changes;
    }

    /** Handles the end of a light sweep: responses of devices that were silent before, and changed LIDs. */
    void onLightSweepEnd(LightSweep.LightOutcome found) {
        sweepState = sweepState.withoutAnswered(found.heard());
        if (!found.displaced().isEmpty()) {
            onAttributesRead(found::withLids);
        }
    }

    /** Handles attributes of devices that were read outside a sweep; ports and cables are unchanged. */
    void onAttributesRead(UnaryOperator<Fabric> change) {
        sweepState = sweepState.renewed(change);
        state = state.on(sweepState.view());
    }

    /**
     * Handles a change of the members of partitions, which has been programmed at ports.
     *
     * @param isLeft whether a sweep has to repeat a write
     * @param hasOtherMembers false if only tables of switches are other ones, since virtual ports have changed
     */
    void onPartitionsChanged(PublishedView view, boolean isLeft, boolean hasOtherMembers) {
        SweepState current = sweepState.repartitioned(view);
        sweepState = isLeft ? current.incomplete() : current;
        state = state.on(view);
        parts.listener().accept(new SweepEvent.PartitionsProgrammed(view, hasOtherMembers));
    }

    @Override
    public void onProgrammed() {
        parts.listener().accept(new SweepEvent.MulticastProgrammed());
    }

    @Override
    public void onFailedWrite() {
        sweepState = sweepState.incomplete();
    }

    /** Requests ClientReregister for all clients, because they registered with another SM. */
    void requestReregistration() {
        sweepState = sweepState.reregistering();
    }

    /** Requires that the next proof is a whole one. */
    void requireWholeProof() {
        sweepState = sweepState.withoutProof();
    }

    /** Handles the end of the mastership: the state will be outdated when this SM is master again. */
    void onMastershipEnd() {
        sweepState = sweepState.afterMastership();
        restarts.clear();
        parts.remembered().forget();
        state = FabricState.NOTHING;
        cabling.forget();
    }
}
