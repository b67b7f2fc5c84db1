package io.torussm.sweep.state;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.program.table.LateReading;
import io.torussm.sweep.state.SweepCounts.SweepEnd;
import io.torussm.view.FabricState;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The result of a sweep.
 *
 * @param end outcome of the sweep
 * @param known the state after the sweep
 * @param changed NodeGUIDs of switches that must be read again
 * @param mustFollow whether another sweep must follow immediately, because one discovery was not enough
 * @param late reading of the tables that the sweep did not need; null unless the sweep published a view
 * @param report report of the writes; null unless the sweep published a view
 * @param findings the reasons why no engine routes the fabric; empty for other outcomes
 * @param master the other SM that is master; null if it is unknown, or for other outcomes
 * @param problem the reason why the sweep could not be finished; empty for other outcomes
 */
public record SweepResult(
        SweepEnd end,
        SweepState known,
        Set<Long> changed,
        boolean mustFollow,
        @Nullable LateReading late,
        @Nullable SweepReport report,
        List<Finding> findings,
        @Nullable RemoteSm master,
        String problem) {
    /** Limit of the switches that one line names. */
    private static final int MAX_NAMED = 3;

    /** Returns the result of a sweep that published a subnet. */
    public static SweepResult up(
            SweepState known, Set<Long> changed, boolean mustFollow, LateReading late, SweepReport report) {
        return new SweepResult(SweepEnd.UP, known, changed, mustFollow, late, report, List.of(), null, "");
    }

    /** Returns the result in which no routes were acceptable, and nothing was written. */
    public static SweepResult refused(SweepState known, List<Finding> findings) {
        return new SweepResult(SweepEnd.REFUSED, known, Set.of(), false, null, null, findings, null, "");
    }

    /** Returns the result in which published routes remain active, and their devices were handled. */
    public static SweepResult retained(
            SweepState known,
            Set<Long> changed,
            boolean mustFollow,
            LateReading late,
            SweepReport report,
            List<Finding> findings) {
        return new SweepResult(SweepEnd.REFUSED, known, changed, mustFollow, late, report, findings, null, "");
    }

    /**
     * Returns the result in which another SM is master.
     *
     * @param master the master SM; null if it is unknown
     */
    public static SweepResult otherMaster(SweepState known, @Nullable RemoteSm master) {
        return new SweepResult(SweepEnd.OTHER_MASTER, known, Set.of(), false, null, null, List.of(), master, "");
    }

    /** Returns the result in which a sweep ended without a published subnet. */
    public static SweepResult failed(SweepState known, String problem) {
        return new SweepResult(SweepEnd.FAILED, known, Set.of(), false, null, null, List.of(), null, problem);
    }

    /**
     * Returns the result in which switches did not accept tables on which the proof relies.
     *
     * @param switches indexes of these switches in the fabric
     */
    public static SweepResult hindered(SweepState known, Set<Long> changed, Fabric fabric, Set<Integer> switches) {
        String names = switches.stream().map(fabric::name).limit(MAX_NAMED).collect(Collectors.joining(", "));
        String problem = "tables are not in place at " + switches.size() + " of " + fabric.switchCount() + " switches ("
                + names + "); the next sweep tries again";
        return new SweepResult(SweepEnd.FAILED, known, changed, true, null, null, List.of(), null, problem);
    }

    /** Returns the result in which a sweep has to be repeated with more devices. */
    public static SweepResult widened(SweepState known) {
        return new SweepResult(SweepEnd.WIDENED, known, Set.of(), false, null, null, List.of(), null, "");
    }

    /**
     * Returns the result of a sweep that a report preempted. The next sweep begins with the state before this
     * sweep, and reads the same switches again.
     *
     * @param known state of the preempted sweep, which is dropped
     * @param read NodeGUIDs of the switches that the sweep read or had to read
     */
    public static SweepResult superseded(SweepState known, Set<Long> read) {
        return new SweepResult(SweepEnd.SUPERSEDED, known, read, false, null, null, List.of(), null, "");
    }

    /** Checks whether devices were programmed, and a view is published. */
    public boolean isPublished() {
        return report != null;
    }

    /**
     * Reports the outcome of the sweep, unless another sweep continues it.
     *
     * @param state state after the sweep
     */
    public void report(Consumer<SweepEvent> listener, FabricState state) {
        switch (end) {
            case UP -> {
                if (known.view() != null && report != null) {
                    listener.accept(new SweepEvent.SubnetUp(known.view(), report, MissingParts.of(state)));
                }
            }
            case REFUSED -> {
                if (known.view() != null && report != null) {
                    listener.accept(new SweepEvent.RoutesKept(known.view(), report));
                }
                listener.accept(new SweepEvent.RoutingRefused(findings));
            }
            case OTHER_MASTER -> listener.accept(new SweepEvent.OtherMaster(master));
            case FAILED -> listener.accept(new SweepEvent.SweepFailed(problem));
            case WIDENED, SUPERSEDED, QUIET, CHANGED -> {}
        }
    }
}
