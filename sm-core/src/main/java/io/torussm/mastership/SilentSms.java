package io.torussm.mastership;

import io.torussm.mad.smp.DrPath;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The SMs that do not answer the requests of light sweeps. A standby polls its master, but nothing polls a standby:
 * without a count, one that ended would be listed until the next heavy sweep. Owner thread: the loop.
 */
final class SilentSms {
    /** Consecutive requests without an answer after which the fabric is read again. */
    private static final int LIMIT = 3;

    /** Limit of the routes that are remembered from requests outside of sweeps. */
    private static final int MAX_ROUTES = 64;

    private final Set<DrPath> routes = new LinkedHashSet<>();
    private final Map<Long, Integer> misses = new HashMap<>();

    /** Returns the routes at which an SM did not answer, as they are now. */
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

    /** Replaces the routes by those that a discovery found, or adds these if it read a part of the fabric. */
    void discovered(List<SilentSm> found, boolean isWhole) {
        if (isWhole) {
            routes.clear();
        }
        found.forEach(sm -> routes.add(sm.path()));
    }

    /** Forgets the counts of all SMs but these. */
    void retain(List<RemoteSm> known) {
        misses.keySet().retainAll(known.stream().map(RemoteSm::guid).collect(Collectors.toSet()));
    }

    void answered(RemoteSm sm) {
        misses.remove(sm.guid());
    }

    /** Counts a request without an answer. Returns true if the limit is reached, once until the next answer. */
    boolean missed(RemoteSm sm) {
        return misses.merge(sm.guid(), 1, Integer::sum) == LIMIT;
    }
}
