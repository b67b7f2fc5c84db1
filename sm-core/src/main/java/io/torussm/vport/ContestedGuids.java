package io.torussm.vport;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The GUIDs that vports of two ports have. In the middle of a migration the old place may not have been visited yet.
 * Therefore the new place, the contender, waits for the next visit of the owner, once; after a trap again, some times.
 * When an owner loses a GUID, the contenders for this GUID are visited, and no others.
 */
final class ContestedGuids {
    /** Waits in a row, so that a device that sends traps without end is reported. */
    static final int MAX_WAITS = 3;

    private final LongConsumer visit;

    /** By contender, in the order of their contests: the GUIDs that its last whole visit did not get. */
    private final Map<Long, Set<Long>> guids = new LinkedHashMap<>();

    /** Contenders that have waited for an owner since their last trap. */
    private final Set<Long> waited = new HashSet<>();

    /** By contender: its waits since it had no contest. */
    private final Map<Long, Integer> waits = new HashMap<>();

    /** By owner: contenders that wait for its next visit. */
    private final Map<Long, Set<Long>> waiters = new HashMap<>();

    /** @param visit takes the PortGUID of a port that is to be visited */
    ContestedGuids(LongConsumer visit) {
        this.visit = visit;
    }

    /** Forgets the GUIDs of a port that is visited as a whole: the visit contests those that it does not get. */
    void beginVisit(long portGuid) {
        guids.remove(portGuid);
    }

    /** Contests a GUID. If the contender has not waited yet, it waits for a visit of the owner, which is requested. */
    void contest(long contender, long guid, long owner) {
        guids.computeIfAbsent(contender, any -> new HashSet<>()).add(guid);
        if (waited.add(contender) && waits.merge(contender, 1, Integer::sum) <= MAX_WAITS) {
            waiters.computeIfAbsent(owner, any -> new LinkedHashSet<>()).add(contender);
            visit.accept(owner);
        }
    }

    /** Checks whether a port waits for another one. */
    boolean isWaiting(long portGuid) {
        return waiters.values().stream().anyMatch(each -> each.contains(portGuid));
    }

    /** Visits the contenders for GUIDs that a port has lost. */
    void release(Set<Long> lost) {
        guids.forEach((contender, contested) -> {
            if (contested.stream().anyMatch(lost::contains)) {
                visit.accept(contender);
            }
        });
    }

    /** Visits the contenders that wait for a visit of a port: it has ended. */
    void endWaits(long owner) {
        Set<Long> contenders = waiters.remove(owner);
        if (contenders != null) {
            contenders.forEach(visit::accept);
        }
    }

    /** Lets a port wait again: its vports have changed. */
    void allowNewWait(long portGuid) {
        waited.remove(portGuid);
    }

    /** Ends the contests of a port. */
    void end(long portGuid) {
        guids.remove(portGuid);
        waited.remove(portGuid);
        waits.remove(portGuid);
    }

    void clear() {
        guids.clear();
        waited.clear();
        waits.clear();
        waiters.clear();
    }
}
