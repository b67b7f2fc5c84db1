package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.mastership.RemoteSm;
import io.torussm.sweep.SweepCounts.End;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What came of a sweep.
 *
 * @param known what is known from now on
 * @param changed NodeGUIDs of switches that have to be read again
 * @param mustFollow whether another sweep should follow at once: the first of two looks was not enough
 * @param report what was done; null unless the subnet is up
 * @param findings why no engine routes the fabric; else empty
 * @param master the SM that is master; null if it is this one, or nobody knows
 * @param problem why the sweep could not be finished; else empty
 */
record SweepResult(
        End end,
        Known known,
        Set<Long> changed,
        boolean mustFollow,
        @Nullable SweepReport report,
        List<Finding> findings,
        @Nullable RemoteSm master,
        String problem) {

    static SweepResult up(Known known, Set<Long> changed, boolean mustFollow, SweepReport report) {
        return new SweepResult(End.UP, known, changed, mustFollow, report, List.of(), null, "");
    }

    static SweepResult refused(Known known, List<Finding> findings) {
        return new SweepResult(End.REFUSED, known, Set.of(), false, null, findings, null, "");
    }

    static SweepResult otherMaster(Known known, @Nullable RemoteSm master) {
        return new SweepResult(End.OTHER_MASTER, known, Set.of(), false, null, List.of(), master, "");
    }

    static SweepResult failed(Known known, String problem) {
        return new SweepResult(End.FAILED, known, Set.of(), false, null, List.of(), null, problem);
    }

    /** Tables on which the proof relies are not in place. */
    static SweepResult hindered(Known known, Set<Long> changed, String problem) {
        return new SweepResult(End.FAILED, known, changed, true, null, List.of(), null, problem);
    }

    static SweepResult widened(Known known) {
        return new SweepResult(End.WIDENED, known, Set.of(), false, null, List.of(), null, "");
    }

    /** Reports how the sweep ended; of one that is widened the sweep that follows it will. */
    void report(SweepListener listener) {
        switch (end) {
            case UP -> {
                if (known.view() != null && report != null) {
                    listener.subnetUp(known.view(), report);
                }
            }
            case REFUSED -> listener.refused(findings);
            case OTHER_MASTER -> listener.otherMaster(master);
            case FAILED -> listener.failed(problem);
            case WIDENED, QUIET, CHANGED -> {}
        }
    }
}
