package io.torussm.vport;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Ports with a vport whose GUID a vport of another port has. In the middle of a migration the old place may not have
 * been visited yet. Each port waits for the next visit of the other one, once; after a trap again, some times.
 */
final class ContestedGuids {
    /** Waits in a row, so that a device that sends traps without end is reported. */
    static final int MAX_WAITS = 3;

    private final Set<Long> contesting = new LinkedHashSet<>();

    /** By port: its waits since it had no contest. */
    private final Map<Long, Integer> waits = new HashMap<>();

    /** By the PortGUID of the owner: ports that wait for its next visit. */
    private final Map<Long, Set<Long>> waiters = new HashMap<>();

    /** Lets a port wait for the owner of a GUID. Returns false if it has waited already. */
    boolean begin(long portGuid, long owner) {
        boolean isNew = contesting.add(portGuid) && waits.merge(portGuid, 1, Integer::sum) <= MAX_WAITS;
        if (isNew) {
            waiters.computeIfAbsent(owner, any -> new LinkedHashSet<>()).add(portGuid);
        }
        return isNew;
    }

    /** Checks whether a port waits for another one. */
    boolean isWaiting(long portGuid) {
        return waiters.values().stream().anyMatch(each -> each.contains(portGuid));
    }

    /**
     * Returns the ports to be visited after a visit of a port.
     *
     * @param hasLost whether the port has lost a vport
     */
    Set<Long> takeWaiters(long portGuid, boolean hasLost) {
        Set<Long> released = waiters.remove(portGuid);
        if (released != null) {
            return released;
        }
        return hasLost ? new LinkedHashSet<>(contesting) : Set.of();
    }

    /** Lets a port wait again: its vports have changed. */
    void allowNewWait(long portGuid) {
        contesting.remove(portGuid);
    }

    /** Ends the contest of a port. */
    void end(long portGuid) {
        contesting.remove(portGuid);
        waits.remove(portGuid);
    }

    void clear() {
        contesting.clear();
        waits.clear();
        waiters.clear();
    }
}
