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

    /** By slow port: where its next visit continues. */
    private final Map<Long, PortVisit.Rest> slow = new HashMap<>();

    private boolean wasLastSlow;

    /** @param limit ports that are visited at the same time, at least 2 */
    VisitQueue(int limit) {
        this.limit = limit;
    }

    /** Adds a port. If a visit is in progress, or to be continued, all of it is visited again afterwards. */
    void add(long portGuid) {
        if (running.contains(portGuid)) {
            dueAgain.add(portGuid);
        } else if (slow.computeIfPresent(portGuid, (port, rest) -> rest.outdated()) != null) {
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

    /** Returns where the visit of a port continues. */
    PortVisit.Rest rest(long portGuid) {
        return slow.getOrDefault(portGuid, PortVisit.Rest.ALL);
    }

    /**
     * Ends a visit. A port with a rest waits for the next one. Returns false if no verdict follows from the visit,
     * because the port became due meanwhile. A port that always becomes due, as its device sends traps without end,
     * has a verdict after some visits.
     *
     * @param rest where the next visit continues; null after a whole visit
     * @param isUnsettled whether another visit soon is worthwhile
     */
    boolean ended(long portGuid, PortVisit.@Nullable Rest rest, boolean isUnsettled) {
        running.remove(portGuid);
        slowRunning.remove(portGuid);
        if (rest != null) {
            slow.put(portGuid, rest);
            slowDue.add(portGuid);
        } else if (isUnsettled) {
            slow.put(portGuid, PortVisit.Rest.ALL);
        } else {
            slow.remove(portGuid);
        }
        boolean isDue = dueAgain.remove(portGuid);
        if (isDue) {
            add(portGuid);
        }
        boolean isFinal = !isDue || (rest == null && repeatedVisits.merge(portGuid, 1, Integer::sum) > MAX_REPEATED);
        if (isFinal && rest == null) {
            repeatedVisits.remove(portGuid);
        }
        return isFinal;
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
