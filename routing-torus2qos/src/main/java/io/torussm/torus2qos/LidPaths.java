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
 * The paths to all LIDs. LIDs at an even distance from the base LID of their port are routed on the torus as
 * it is. The others are routed on the torus that {@link Multipath} makes of it. Immutable but for the tables,
 * which are computed once.
 */
final class LidPaths {
    private final Torus torus;
    private final Torus seenByOdd;
    private final Subnet subnet;
    private final TorusDestinations destinations;
    private final TorusRoutes even;
    private final TorusRoutes odd;

    /** By switch of the fabric, once they are made; shared with plans. */
    private byte @Nullable [][] tables;

    /**
     * Creates the paths on a torus.
     *
     * @param avoidsCuts see {@link TorusRoutes}
     */
    LidPaths(Torus torus, Subnet subnet, Torus2QosConf conf, Multipath multipath, boolean avoidsCuts) {
        this.torus = torus;
        this.subnet = subnet;
        destinations = new TorusDestinations(torus, subnet, conf);
        seenByOdd = multipath == Multipath.OFF ? torus : torus.seenBy(multipath);
        even = new TorusRoutes(torus, destinations, avoidsCuts);
        odd = seenByOdd == torus || destinations.odd.isEmpty()
                ? even
                : new TorusRoutes(seenByOdd, destinations, avoidsCuts);
    }

    /** Checks whether all LIDs of a port have the same paths. */
    boolean areAlike() {
        return odd == even;
    }

    /** Checks whether the short ways, and the LIDs that take other paths, are those of another torus. */
    boolean isSameWayAs(LidPaths other) {
        return areAlike() == other.areAlike()
                && (areAlike() || destinations.areOddAlike(other.destinations))
                && torus.hasSameWaysAs(other.torus)
                && seenByOdd.hasSameWaysAs(other.seenByOdd);
    }

    /**
     * Makes the tables by switch of the fabric. A switch that was not placed has "no path" in every entry.
     *
     * @param previous previous paths, whose tables are reused if they are the same; null if there are none
     */
    byte[][] tables(int threads, @Nullable LidPaths previous) {
        byte[][] made = new byte[torus.fabric().switchCount()][];
        byte[][] old = previous == null || !areAlike() || !previous.areAlike() ? null : previous.tables;
        KeptTables keptTables = previous == null || old == null ? null : KeptTables.of(even, previous.even, old);
        ParallelRanges.inParallel(made.length, threads, (from, to) -> {
            for (int sw = from; sw < to; sw++) {
                byte[] same = keptTables == null ? null : keptTables.of(sw);
                made[sw] = same == null ? table(sw) : same;
            }
        });
        tables = made;
        return made;
    }

    private byte[] table(int sw) {
        byte[] table = even.table(sw);
        if (!areAlike()) {
            byte[] other = odd.table(sw);
            destinations.odd.stream().forEach(lid -> table[lid] = other[lid]);
        }
        return table;
    }

    /**
     * Returns pairs of placed switches without a path from one to the other, for some of their LIDs; see {@link
     * TorusRoutes#unroutable}.
     */
    List<Finding> unroutable() {
        return areAlike()
                ? even.unroutable()
                : new ArrayList<>(Stream.concat(even.unroutable().stream(), odd.unroutable().stream())
                        .distinct()
                        .limit(TorusCheck.LISTED)
                        .toList());
    }

    /** Returns the SLs of the paths; see {@link TorusSl}. */
    TorusSl sls(boolean servesUnplaced) {
        return new TorusSl(this, subnet, destinations.slotOfLid, servesUnplaced);
    }

    /** Returns the torus as paths to a LID see it. */
    Torus seenBy(int lid) {
        return destinations.odd.get(lid) ? seenByOdd : torus;
    }

    /** Returns the torus as it is. */
    Torus torus() {
        return torus;
    }

    /** Checks whether bit 3 of the SL selects the order of dimensions rather than the QoS level. */
    boolean hasOrders() {
        return seenByOdd.isReversed();
    }
}
