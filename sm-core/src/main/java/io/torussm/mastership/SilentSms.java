package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The SMs that do not answer the requests of light sweeps. A standby polls its master, but no SM polls a standby.
 * Without a count of missing answers, a standby that ended would be listed until the next heavy sweep. Owner thread:
 * the loop.
 */
final class SilentSms {
    /** Number of consecutive requests without an answer after which the fabric is read again. */
    private static final int MAX_MISSES = 3;

    /** Max number of routes to which requests outside of sweeps may add. */
    private static final int MAX_ROUTES = 64;

    private final Set<DrPath> routes = new LinkedHashSet<>();
    private final Map<Long, Integer> misses = new HashMap<>();

    /** Returns a copy of the directed routes at whose end an SM did not answer. */
    List<DrPath> routes() {
        return List.copyOf(routes);
    }

    boolean has(DrPath route) {
        return routes.contains(route);
    }

    /** Adds a route, unless there are too many. */
    void add(DrPath route) {
        if (routes.size() < MAX_ROUTES) {
            routes.add(route);
        }
    }

    /** Adds the routes that a discovery found; before that, removes all others if it read the whole fabric. */
    void addDiscovered(List<SilentSm> found, boolean isWhole) {
        if (isWhole) {
            routes.clear();
        }
        found.forEach(sm -> routes.add(sm.path()));
    }

    /** Removes the counts of all SMs that are not in a list. */
    void retain(List<RemoteSm> known) {
        misses.keySet().retainAll(known.stream().map(RemoteSm::guid).collect(Collectors.toSet()));
    }

    void clearMisses(RemoteSm sm) {
        misses.remove(sm.guid());
    }

    /** Counts a request without an answer. Returns true if the limit is reached, once until the next answer. */
    boolean recordMiss(RemoteSm sm) {
        return misses.merge(sm.guid(), 1, Integer::sum) == MAX_MISSES;
    }
}
