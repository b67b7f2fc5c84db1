package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What the next sweep is to do, since when, and what waits for the end of the one that runs. Owner thread: the loop. */
final class DueWork {
    /** Changes that may wait for the end of a sweep; if there are more, the fabric is read anew. */
    private static final int MAX_LATER = 1 << 10;

    private static final long NONE = -1;

    private final Set<Long> changed = new LinkedHashSet<>();
    private final List<UnaryOperator<Fabric>> later = new ArrayList<>();
    private boolean isHeavy;

    /** Whether the last whole sweep gave way to a report: another one follows what looks into that, and does not. */
    private boolean isWholeOwed;

    /** When the first change was reported that no sweep has looked at yet; negative if there is none. */
    private long reportedNs = NONE;

    /** The whole fabric has to be swept. */
    void heavy() {
        isHeavy = true;
    }

    /** A change was reported, at some time of the loop. */
    void reported(long atNs) {
        reportedNs = reportedNs < 0 ? atNs : reportedNs;
    }

    /**
     * A switch reported a change, at some time of the loop; one that the sweep that runs will read by itself needs no other.
     *
     * @param running null if none runs
     */
    void reported(long atNs, long switchGuid, @Nullable Sweep running) {
        reported(atNs);
        if (running == null || !running.notice(switchGuid)) {
            changed.add(switchGuid);
        } else {
            reportedNs = NONE;
        }
    }

    /** A light sweep is over. */
    void after(LightSweep.Result found) {
        changed.addAll(found.changed());
        isHeavy |= found.mustSweepAll();
        if (found.isQuiet() && isNothing()) {
            reportedNs = NONE;
        }
    }

    /**
     * A sweep is over; one that is continued leaves what it was to look at to the next.
     *
     * @param isWhole whether it was to look at the whole fabric
     * @param sinceNs when the first change was reported that it looked at; negative if none was
     */
    void after(SweepResult result, boolean isWhole, long sinceNs) {
        changed.addAll(result.changed());
        isHeavy |= result.end() == SweepCounts.End.WIDENED;
        if (!result.end().isContinued()) {
            isHeavy |= isWholeOwed && !isWhole;
            isWholeOwed &= !isWhole;
        } else {
            isWholeOwed |= isWhole && result.end() == SweepCounts.End.SUPERSEDED;
        }
        if (result.end().isContinued() && sinceNs >= 0) {
            reportedNs = sinceNs;
        }
    }

    /** A change of the fabric was read that is to be made known when the sweep that runs is over. */
    void later(UnaryOperator<Fabric> change) {
        if (later.size() < MAX_LATER) {
            later.add(change);
        } else {
            isHeavy = true;
        }
    }

    /** Whether a whole sweep gave way to a report, and none has come to its end since. */
    boolean isWholeOwed() {
        return isWholeOwed;
    }

    /** Whether nothing is to be swept. */
    boolean isNothing() {
        return !isHeavy && changed.isEmpty();
    }

    /** Whether it will do, and is less work, to read only what is around the switches that changed. */
    boolean isLocal(Known known) {
        Fabric fabric = known.fabric();
        return fabric != null
                && !isHeavy
                && !known.left().isIncomplete()
                && changed.size() <= fabric.switchCount() / 8 + 4;
    }

    /** A sweep begins: hands over the switches that changed. */
    List<Long> take() {
        List<Long> around = List.copyOf(changed);
        isHeavy = false;
        changed.clear();
        return around;
    }

    /** A sweep begins: hands over when the first change was reported that it looks at; negative if none was. */
    long takeReported() {
        long ns = reportedNs;
        reportedNs = NONE;
        return ns;
    }

    /** A sweep is over: hands over what was read while it ran. */
    List<UnaryOperator<Fabric>> takeLater() {
        List<UnaryOperator<Fabric>> due = List.copyOf(later);
        later.clear();
        return due;
    }

    /** Nothing is to be done any more. */
    void clear() {
        isHeavy = false;
        isWholeOwed = false;
        changed.clear();
        later.clear();
    }
}
