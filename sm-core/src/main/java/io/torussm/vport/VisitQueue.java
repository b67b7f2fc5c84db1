package io.torussm.vport;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ports that wait for a visit, in order, and those that are visited; each port is visited once at a time. A port whose
 * last visit was not whole, or is to be repeated soon, is a slow one. Slow ports get at most half of the visits, and
 * every second one while others wait, so that neither kind waits for the other.
 */
final class VisitQueue {
    /** Whole visits in a row without a verdict. */
    static final int MAX_REPEATED = 3;

    private final int limit;
    private final Set<Long> due = new LinkedHashSet<>();
    private final Set<Long> slowDue = new LinkedHashSet<>();
    private final Set<Long> running = new HashSet<>();
    private final Set<Long> slowRunning = new HashSet<>();

    /** Ports that are due again after the end of their visit. */
    private final Set<Long> dueAgain = new HashSet<>();

    /** By port: whole visits in a row after which it was due again. */
    private final Map<Long, Integer> repeatedVisits = new HashMap<>();

    /** By slow port: where its next visit begins. */
    private final Map<Long, VisitStart> slow = new HashMap<>();

    private boolean wasLastSlow;

    /** The effect of a visit on the condition of its port. */
    enum Verdict {
        /** The condition is as the visit found it. */
        FINAL,
        /** The next visit decides. */
        POSTPONED
    }

    /** @param limit ports that are visited at the same time, at least 2 */
    VisitQueue(int limit) {
        this.limit = limit;
    }

    /** Adds a port. If a visit is in progress, or to be continued, all of it is visited again afterwards. */
    void add(long portGuid) {
        if (running.contains(portGuid)) {
            dueAgain.add(portGuid);
        } else if (slow.computeIfPresent(portGuid, (port, start) -> start.outdated()) != null) {
            slowDue.add(portGuid);
        } else {
            due.add(portGuid);
        }
    }

    /** Removes a port that waits; its next visit is a new one. */
    void remove(long portGuid) {
        due.remove(portGuid);
        slowDue.remove(portGuid);
        dueAgain.remove(portGuid);
        slow.remove(portGuid);
        repeatedVisits.remove(portGuid);
    }

    /** Checks whether a visit may begin. */
    boolean hasNext() {
        return running.size() < limit && (!due.isEmpty() || maySlowBegin());
    }

    private boolean maySlowBegin() {
        return !slowDue.isEmpty() && slowRunning.size() < limit / 2;
    }

    /** Returns the next port; its visit begins. */
    long next() {
        boolean isSlow = maySlowBegin() && (due.isEmpty() || !wasLastSlow);
        Set<Long> from = isSlow ? slowDue : due;
        long portGuid = from.iterator().next();
        from.remove(portGuid);
        wasLastSlow = isSlow;
        running.add(portGuid);
        if (isSlow) {
            slowRunning.add(portGuid);
        }
        return portGuid;
    }

    /** Checks whether no port waits, but for slow ones, and half of the visits are free. */
    boolean isHalfFree() {
        return due.isEmpty() && running.size() <= limit / 2;
    }

    /** Returns where the next visit of a port begins. */
    VisitStart startOf(long portGuid) {
        return slow.getOrDefault(portGuid, VisitStart.WHOLE_PORT);
    }

    /**
     * Ends a visit. A port that was visited in part waits for the next part. There is no verdict if the port became due
     * meanwhile, since its vports may have changed. A port that always becomes due, as its device sends traps without
     * end, has a verdict after some visits nevertheless: its condition would never be reported otherwise.
     *
     * @param nextStart where the next visit begins; null after a whole visit
     * @param isRetryDue whether another visit soon is worthwhile
     */
    Verdict end(long portGuid, @Nullable VisitStart nextStart, boolean isRetryDue) {
        running.remove(portGuid);
        slowRunning.remove(portGuid);
        if (nextStart != null) {
            slow.put(portGuid, nextStart);
            slowDue.add(portGuid);
        } else if (isRetryDue) {
            slow.put(portGuid, VisitStart.WHOLE_PORT);
        } else {
            slow.remove(portGuid);
        }
        boolean isDue = dueAgain.remove(portGuid);
        if (isDue) {
            add(portGuid);
        }
        boolean isWhole = nextStart == null;
        boolean isFinal = !isDue || (isWhole && repeatedVisits.merge(portGuid, 1, Integer::sum) > MAX_REPEATED);
        if (isFinal && isWhole) {
            repeatedVisits.remove(portGuid);
        }
        return isFinal ? Verdict.FINAL : Verdict.POSTPONED;
    }

    /** Checks whether no port waits or is visited. */
    boolean isEmpty() {
        return running.isEmpty() && due.isEmpty() && slowDue.isEmpty();
    }

    void clear() {
        due.clear();
        slowDue.clear();
        running.clear();
        slowRunning.clear();
        dueAgain.clear();
        repeatedVisits.clear();
        slow.clear();
    }
}
