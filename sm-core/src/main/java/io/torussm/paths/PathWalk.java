package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The limits of paths in one view: the smallest MTU and the lowest rate, coded as in {@link PathLimits}. Thread-safe.
 */
final class PathWalk {
    private final ViewIndex index;
    private final Subnet subnet;
    private final Fabric fabric;
    private final PathLimits limits;

    /** Creates the limits of the view of an index. */
    PathWalk(ViewIndex index) {
        this.index = index;
        this.limits = new PathLimits(index);
        this.subnet = index.subnet();
        this.fabric = index.fabric();
    }

    /** Checks whether these are the limits of the view of an index. */
    boolean isOf(ViewIndex current) {
        return index == current;
    }

    /**
     * Returns the limits of the path from an end port to a LID.
     *
     * @param source port index
     * @param level level that limits the MTU and rate of the result; null if there is none
     * @return limits; {@link PathLimits#NO_PATH} if the tables do not lead to the LID
     */
    int walk(int source, int dlid, PathPolicy.@Nullable Level level) {
        int limitsOfTables = walk(source, dlid);
        if (level == null || limitsOfTables == PathLimits.NO_PATH) {
            return limitsOfTables;
        }
        boolean hasMtu = level.mtuLimit() != PathPolicy.Level.NO_LIMIT;
        boolean hasRate = level.rateLimit() != PathPolicy.Level.NO_LIMIT;
        return PathLimits.min(
                limitsOfTables,
                PathLimits.pack(
                        hasMtu ? level.mtuLimit() : PathLimits.mtu(limitsOfTables),
                        hasRate ? Rates.order(level.rateLimit()) : PathLimits.rateOrder(limitsOfTables)));
    }

    private int walk(int source, int dlid) {
        int destination = subnet.portOfLid(dlid);
        int ofSource = PathLimits.pack(index.mtu(source), index.rateOrder(source));
        if (source == destination) {
            return ofSource;
        }
        int sw = fabric.nodeOf(source);
        if (fabric.isSwitch(sw)) {
            ofSource = PathLimits.pack(index.mtu(source), Rates.FASTEST_ORDER);
        } else {
            int far = fabric.peer(source);
            if (far == Fabric.NONE || far == destination) {
                return far == destination ? ofSource : PathLimits.NO_PATH;
            }
            sw = fabric.nodeOf(far);
        }
        int ofTables = fabric.isSwitch(sw) ? limits.from(sw, dlid) : PathLimits.NO_PATH;
        return ofTables == PathLimits.NO_PATH ? PathLimits.NO_PATH : PathLimits.min(ofSource, ofTables);
    }
}
