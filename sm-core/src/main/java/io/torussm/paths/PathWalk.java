package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The limits of paths in one view: the smallest MTU and the lowest rate, in one number as in
 * {@link PathLimits}. Any thread.
 */
final class PathWalk {
    private final ViewIndex index;
    private final Subnet subnet;
    private final Fabric fabric;
    private final PathLimits limits;

    /** Makes it for one view. */
    PathWalk(ViewIndex index) {
        this.index = index;
        this.limits = new PathLimits(index);
        this.subnet = index.subnet();
        this.fabric = index.fabric();
    }

    /** Checks whether it was made for an index. */
    boolean isOf(ViewIndex current) {
        return index == current;
    }

    /**
     * Follows the tables from an end port to a LID.
     *
     * @param level limits the MTU and rate of the result; null for none
     * @return {@link PathLimits#NO_PATH} if the tables do not lead there
     */
    int walk(int source, int dlid, PathPolicy.@Nullable Level level) {
        int met = walk(source, dlid);
        if (level == null || met == PathLimits.NO_PATH) {
            return met;
        }
        boolean hasMtu = level.mtuLimit() != PathPolicy.Level.NO_LIMIT;
        boolean hasRate = level.rateLimit() != PathPolicy.Level.NO_LIMIT;
        return PathLimits.least(
                met,
                PathLimits.both(
                        hasMtu ? level.mtuLimit() : PathLimits.mtu(met),
                        hasRate ? Rates.order(level.rateLimit()) : PathLimits.rateOrder(met)));
    }

    private int walk(int source, int dlid) {
        int destination = subnet.portOfLid(dlid);
        int ofSource = PathLimits.both(index.mtu(source), index.rateOrder(source));
        if (source == destination) {
            return ofSource;
        }
        int sw = fabric.nodeOf(source);
        if (fabric.isSwitch(sw)) {
            ofSource = PathLimits.both(index.mtu(source), Rates.FASTEST_ORDER);
        } else {
            int far = fabric.peer(source);
            if (far == Fabric.NONE || far == destination) {
                return far == destination ? ofSource : PathLimits.NO_PATH;
            }
            sw = fabric.nodeOf(far);
        }
        int ofTables = fabric.isSwitch(sw) ? limits.from(sw, dlid) : PathLimits.NO_PATH;
        return ofTables == PathLimits.NO_PATH ? PathLimits.NO_PATH : PathLimits.least(ofSource, ofTables);
    }
}
