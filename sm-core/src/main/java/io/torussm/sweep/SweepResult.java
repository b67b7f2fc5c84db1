package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.RemoteSm;
import io.torussm.program.LateReading;
import io.torussm.sweep.SweepCounts.End;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What came of a sweep.
 *
 * @param known what is known from now on
 * @param changed NodeGUIDs of switches that have to be read again
 * @param mustFollow whether another sweep should follow at once: the first of two looks was not enough
 * @param late reads what nobody needed so far; null unless something is published
 * @param report what was done; null unless something is published
 * @param findings why no engine routes the fabric; else empty
 * @param master the SM that is master; null if it is this one, or nobody knows
 * @param problem why the sweep could not be finished; else empty
 */
record SweepResult(
        End end,
        Known known,
        Set<Long> changed,
        boolean mustFollow,
        @Nullable LateReading late,
        @Nullable SweepReport report,
        List<Finding> findings,
        @Nullable RemoteSm master,
        String problem) {
    /** Switches that one line names. */
    private static final int MAX_NAMED = 3;

    static SweepResult up(Known known, Set<Long> changed, boolean mustFollow, LateReading late, SweepReport report) {
        return new SweepResult(End.UP, known, changed, mustFollow, late, report, List.of(), null, "");
    }

    static SweepResult refused(Known known, List<Finding> findings) {
        return new SweepResult(End.REFUSED, known, Set.of(), false, null, null, findings, null, "");
    }

    /** Published routes stay in force, and what they serve was looked after. */
    static SweepResult staying(
            Known known,
            Set<Long> changed,
            boolean mustFollow,
            LateReading late,
            SweepReport report,
            List<Finding> findings) {
        return new SweepResult(End.REFUSED, known, changed, mustFollow, late, report, findings, null, "");
    }

    static SweepResult otherMaster(Known known, @Nullable RemoteSm master) {
        return new SweepResult(End.OTHER_MASTER, known, Set.of(), false, null, null, List.of(), master, "");
    }

    static SweepResult failed(Known known, String problem) {
        return new SweepResult(End.FAILED, known, Set.of(), false, null, null, List.of(), null, problem);
    }

    /**
     * Tables on which the proof relies are not in place.
     *
     * @param switches of a fabric, by index
     */
    static SweepResult hindered(Known known, Set<Long> changed, Fabric fabric, Set<Integer> switches) {
        String names = switches.stream().map(fabric::name).limit(MAX_NAMED).collect(Collectors.joining(", "));
        String problem = "tables are not in place at " + switches.size() + " of " + fabric.switchCount() + " switches ("
                + names + "); the next sweep tries again";
        return new SweepResult(End.FAILED, known, changed, true, null, null, List.of(), null, problem);
    }

    static SweepResult widened(Known known) {
        return new SweepResult(End.WIDENED, known, Set.of(), false, null, null, List.of(), null, "");
    }

    /**
     * A report came in meanwhile: the next sweep begins with what was known before this one, and reads again what this one was to read.
     *
     * @param known what it came to know; nobody goes on with it
     */
    static SweepResult superseded(Known known, Set<Long> read) {
        return new SweepResult(End.SUPERSEDED, known, read, false, null, null, List.of(), null, "");
    }

    /** Whether devices were written to as they should be, and what they hold is published. */
    boolean isPublished() {
        return report != null;
    }

    /** Reports how the sweep ended; of one that is continued the sweep that follows it will. */
    void report(SweepListener listener) {
        switch (end) {
            case UP -> {
                if (known.view() != null && report != null) {
                    listener.subnetUp(known.view(), report);
                }
            }
            case REFUSED -> {
                if (known.view() != null && report != null) {
                    listener.staying(known.view(), report);
                }
                listener.refused(findings);
            }
            case OTHER_MASTER -> listener.otherMaster(master);
            case FAILED -> listener.failed(problem);
            case WIDENED, SUPERSEDED, QUIET, CHANGED -> {}
        }
    }
}
