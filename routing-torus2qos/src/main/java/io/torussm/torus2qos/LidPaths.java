package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.discovery.Multipath;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paths to all LIDs. LIDs at an even distance from the base LID of their port are routed on the torus as it
 * is. LIDs at an odd distance are routed on the variant of the torus that {@link Multipath} selects ({@link
 * Torus#variantFor}). Immutable but for the tables, which are computed once.
 */
final class LidPaths {
    private final Torus torus;
    /** The torus for LIDs at an odd distance; the same object as {@code torus} without multipath. */
    private final Torus oddTorus;

    private final Subnet subnet;
    private final TorusDestinations destinations;
    private final TorusRoutes evenRoutes;
    private final TorusRoutes oddRoutes;

    /** Tables {@code [switch of the fabric][LID]}: output port. Null until {@link #tables}; shared with plans. */
    private byte @Nullable [][] tables;

    /**
     * Creates the paths on a torus.
     *
     * @param avoidsCuts true if packets may leave a cut line by another dimension to reach its other part
     */
    LidPaths(Torus torus, Subnet subnet, Torus2QosConf conf, Multipath multipath, boolean avoidsCuts) {
        this.torus = torus;
        this.subnet = subnet;
        destinations = new TorusDestinations(torus, subnet, conf);
        oddTorus = multipath == Multipath.OFF ? torus : torus.variantFor(multipath);
        evenRoutes = new TorusRoutes(torus, destinations, avoidsCuts);
        oddRoutes = oddTorus == torus || destinations.oddLids.isEmpty()
                ? evenRoutes
                : new TorusRoutes(oddTorus, destinations, avoidsCuts);
    }

    /** Checks whether all LIDs of a port have the same paths. */
    boolean hasEqualPaths() {
        return oddRoutes == evenRoutes;
    }

    /** Checks whether two tori have the same short ways, and the same LIDs at an odd distance. */
    boolean hasSameWaysAs(LidPaths other) {
        return hasEqualPaths() == other.hasEqualPaths()
                && (hasEqualPaths() || destinations.hasSameOddLids(other.destinations))
                && torus.hasSameWaysAs(other.torus)
                && oddTorus.hasSameWaysAs(other.oddTorus);
    }

    /**
     * Computes the tables {@code [switch of the fabric][LID]}: output port. A switch that was not placed has "no
     * path" in every entry.
     *
     * @param threads number of threads, at least 1
     * @param previous previous paths, whose unchanged tables are reused; null at a first routing
     */
    byte[][] tables(int threads, @Nullable LidPaths previous) {
        byte[][] newTables = new byte[torus.fabric().switchCount()][];
        byte[][] oldTables = previous == null || !hasEqualPaths() || !previous.hasEqualPaths() ? null : previous.tables;
        KeptTables keptTables = previous == null || oldTables == null
                ? null
                : KeptTables.of(evenRoutes, previous.evenRoutes, oldTables);
        ParallelRanges.runInParallel(newTables.length, threads, (from, to) -> {
            for (int sw = from; sw < to; sw++) {
                byte[] same = keptTables == null ? null : keptTables.of(sw);
                newTables[sw] = same == null ? table(sw) : same;
            }
        });
        tables = newTables;
        return newTables;
    }

    private byte[] table(int sw) {
        byte[] table = evenRoutes.table(sw);
        if (!hasEqualPaths()) {
            byte[] other = oddRoutes.table(sw);
            destinations.oddLids.stream().forEach(lid -> table[lid] = other[lid]);
        }
        return table;
    }

    /**
     * Returns a finding for each ordered pair of placed switches without a path for some LID; see {@link
     * TorusRoutes#unroutable}.
     */
    List<Finding> unroutable() {
        return hasEqualPaths()
                ? evenRoutes.unroutable()
                : new ArrayList<>(Stream.concat(evenRoutes.unroutable().stream(), oddRoutes.unroutable().stream())
                        .distinct()
                        .limit(TorusCheck.MAX_LISTED)
                        .toList());
    }

    /**
     * Returns the SLs of the paths; see {@link TorusSl}.
     *
     * @param servesUnplaced true if paths from and to switches without a position have SLs
     */
    TorusSl sls(boolean servesUnplaced) {
        return new TorusSl(this, subnet, destinations.slotOfLid, servesUnplaced);
    }

    /** Returns the torus on which paths to a LID are routed. */
    Torus torusFor(int lid) {
        return destinations.oddLids.get(lid) ? oddTorus : torus;
    }

    /** Returns the torus on which LIDs at an even distance are routed. */
    Torus torus() {
        return torus;
    }

    /** Checks whether bit 3 of the SL selects the order of dimensions rather than the QoS level. */
    boolean hasOrders() {
        return oddTorus.isReversed();
    }
}
