package io.torussm.vport;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Ports whose device did not respond to the last visit, and the number of such visits in a row. */
final class SilentPorts {
    /** Ports that are to be asked again. */
    private final Set<Long> waiting = new LinkedHashSet<>();

    private final Map<Long, Integer> visits = new HashMap<>();

    /** Lets a port wait. Returns true if no other one waited. */
    boolean add(long portGuid) {
        boolean isFirst = waiting.isEmpty();
        waiting.add(portGuid);
        return isFirst;
    }

    /** Counts a visit without a response. Returns the number of them in a row. */
    int count(long portGuid) {
        return visits.merge(portGuid, 1, Integer::sum);
    }

    /** Checks whether a port waits. */
    boolean contains(long portGuid) {
        return waiting.contains(portGuid);
    }

    /** Handles the begin of a visit: the port waits no longer. */
    void begin(long portGuid) {
        waiting.remove(portGuid);
    }

    /** Removes a port, which is absent or responded. */
    void remove(long portGuid) {
        waiting.remove(portGuid);
        visits.remove(portGuid);
    }

    /** Returns the ports that wait, and lets none wait any longer. */
    List<Long> released() {
        List<Long> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    void clear() {
        waiting.clear();
        visits.clear();
    }
}
