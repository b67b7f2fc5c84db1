package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepResult;
import io.torussm.sweep.state.SweepState;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The work that is due for the next sweep, the time since which it is due, and changes that wait for the end of the
 * present sweep. Owner thread: the loop.
 */
final class DueWork {
    /** Limit of the changes that wait for the end of a sweep; if there are more, the whole fabric is read. */
    private static final int MAX_DEFERRED_CHANGES = 1 << 10;

    private static final long NONE = -1;

    private final Set<Long> changedSwitches = new LinkedHashSet<>();
    private final List<UnaryOperator<Fabric>> deferredChanges = new ArrayList<>();
    private boolean isHeavy;

    /**
     * Set if a report preempted the last whole sweep. After the local sweep for that report, another whole sweep
     * follows.
     */
    private boolean isWholeSweepOutstanding;

    /** Time of the first reported change that no sweep has handled; negative if there is none. */
    private long reportedNs = NONE;

    /** The number of preempted sweeps since the last sweep that ended otherwise. */
    private int preemptions;

    /** Requests a sweep of the whole fabric. */
    void requestHeavySweep() {
        isHeavy = true;
    }

    /** Adds a reported change, with its time of the loop. */
    void addReportedChange(long atNs) {
        reportedNs = reportedNs < 0 ? atNs : reportedNs;
    }

    /**
     * Adds a change that a switch reported, with its time of the loop. If the present sweep has yet to read that
     * switch, no other sweep is due.
     *
     * @param running null if there is no sweep
     */
    void addReportedChange(long atNs, long switchGuid, @Nullable Sweep running) {
        addReportedChange(atNs);
        if (running == null || !running.onPortChange(switchGuid)) {
            changedSwitches.add(switchGuid);
        } else {
            reportedNs = NONE;
        }
    }

    /** Handles the end of a light sweep. */
    void onSweepEnd(LightSweep.LightOutcome found) {
        changedSwitches.addAll(found.changed());
        isHeavy |= found.mustSweepAll();
        if (found.isQuiet() && isEmpty()) {
            reportedNs = NONE;
        }
    }

    /**
     * Handles the end of a sweep. If the next sweep continues it, its work is due again.
     *
     * @param isWhole whether the sweep had to read the whole fabric
     * @param sinceNs time of the first reported change that the sweep handled; negative if there was none
     */
    void onSweepEnd(SweepResult result, boolean isWhole, long sinceNs) {
        changedSwitches.addAll(result.changed());
        isHeavy |= result.end() == SweepCounts.SweepEnd.WIDENED;
        preemptions = result.end() == SweepCounts.SweepEnd.SUPERSEDED ? preemptions + 1 : 0;
        if (!result.end().isContinued()) {
            isHeavy |= isWholeSweepOutstanding && !isWhole;
            isWholeSweepOutstanding &= !isWhole;
        } else {
            isWholeSweepOutstanding |= isWhole && result.end() == SweepCounts.SweepEnd.SUPERSEDED;
        }
        if (result.end().isContinued() && sinceNs >= 0) {
            reportedNs = sinceNs;
        }
    }

    /** Adds a change of the fabric that is applied after the present sweep. */
    void defer(UnaryOperator<Fabric> change) {
        if (deferredChanges.size() < MAX_DEFERRED_CHANGES) {
            deferredChanges.add(change);
        } else {
            isHeavy = true;
        }
    }

    /** Returns the number of preempted sweeps since the last sweep that ended otherwise. */
    int preemptions() {
        return preemptions;
    }

    /** Checks whether a whole sweep was preempted by a report, and none has ended since. */
    boolean isWholeSweepOutstanding() {
        return isWholeSweepOutstanding;
    }

    /** Checks whether no sweep is due. */
    boolean isEmpty() {
        return !isHeavy && changedSwitches.isEmpty();
    }

    /**
     * Checks whether a local sweep suffices and is less work than a whole one: at most S/8 + 4 of S switches changed.
     */
    boolean isLocal(SweepState known) {
        Fabric fabric = known.fabric();
        return fabric != null
                && !isHeavy
                && !known.openWork().isIncomplete()
                && changedSwitches.size() <= fabric.switchCount() / 8 + 4;
    }

    /** Begins a sweep: removes and returns the changed switches. */
    List<Long> takeChangedSwitches() {
        List<Long> switches = List.copyOf(changedSwitches);
        isHeavy = false;
        changedSwitches.clear();
        return switches;
    }

    /** Begins a sweep: removes and returns the time of the first reported change; negative if there was none. */
    long takeReportedNs() {
        long ns = reportedNs;
        reportedNs = NONE;
        return ns;
    }

    /** Ends a sweep: removes and returns the changes of the fabric that were added during the sweep. */
    List<UnaryOperator<Fabric>> takeDeferredChanges() {
        List<UnaryOperator<Fabric>> due = List.copyOf(deferredChanges);
        deferredChanges.clear();
        return due;
    }

    /** Removes all due work. */
    void clear() {
        isHeavy = false;
        isWholeSweepOutstanding = false;
        preemptions = 0;
        changedSwitches.clear();
        deferredChanges.clear();
    }
}
