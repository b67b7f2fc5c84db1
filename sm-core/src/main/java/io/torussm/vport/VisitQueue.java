package io.torussm.vport;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/** Ports that wait for a visit, in order, and those that are visited; each port is visited once at a time. */
final class VisitQueue {
    private final int limit;
    private final Set<Long> due = new LinkedHashSet<>();
    private final Set<Long> running = new HashSet<>();

    /** Ports that are due again after the end of their visit. */
    private final Set<Long> again = new HashSet<>();

    /** @param limit ports that are visited at the same time */
    VisitQueue(int limit) {
        this.limit = limit;
    }

    void add(long portGuid) {
        if (running.contains(portGuid)) {
            again.add(portGuid);
        } else {
            due.add(portGuid);
        }
    }

    /** Removes a port that waits. */
    void remove(long portGuid) {
        due.remove(portGuid);
        again.remove(portGuid);
    }

    /** Checks whether a visit may begin. */
    boolean hasNext() {
        return running.size() < limit && !due.isEmpty();
    }

    /** Returns the next port; its visit begins. */
    long next() {
        long portGuid = due.iterator().next();
        due.remove(portGuid);
        running.add(portGuid);
        return portGuid;
    }

    /** Ends a visit. Returns true if the port waits again, because it became due meanwhile. */
    boolean ended(long portGuid) {
        running.remove(portGuid);
        boolean isDue = again.remove(portGuid);
        if (isDue) {
            due.add(portGuid);
        }
        return isDue;
    }

    /** Checks whether no port waits or is visited. */
    boolean isEmpty() {
        return running.isEmpty() && due.isEmpty();
    }

    void clear() {
        due.clear();
        running.clear();
        again.clear();
    }
}
