package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.sa.Rates;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/** What a packet meets on its way from an end port: the smallest MTU and the lowest rate. Reused from path to path. */
final class PathWalk {
    private final ViewIndex index;
    private final Subnet subnet;
    private final Fabric fabric;
    private final PathLimits limits;
    private int mtu;
    private int rateOrder;

    PathWalk(ViewIndex index, PathLimits limits) {
        this.index = index;
        this.limits = limits;
        this.subnet = index.subnet();
        this.fabric = index.fabric();
    }

    /** The same, with an MTU and a rate that are no better than a level's; null for no level. */
    boolean walk(int source, int dlid, PathPolicy.@Nullable Level level) {
        boolean isThere = walk(source, dlid);
        if (level != null && level.mtuLimit() != PathPolicy.Level.NO_LIMIT) {
            mtu = Math.min(mtu, level.mtuLimit());
        }
        if (level != null && level.rateLimit() != PathPolicy.Level.NO_LIMIT) {
            rateOrder = Math.min(rateOrder, Rates.order(level.rateLimit()));
        }
        return isThere;
    }

    /** Follows the tables from an end port to a LID; false if they do not lead there. */
    private boolean walk(int source, int dlid) {
        int destination = subnet.portOfLid(dlid);
        mtu = index.mtu(source);
        rateOrder = index.rateOrder(source);
        if (source == destination) {
            return true;
        }
        int sw = fabric.nodeOf(source);
        if (fabric.isSwitch(sw)) {
            rateOrder = Rates.FASTEST_ORDER;
        } else {
            int far = fabric.peer(source);
            if (far == Fabric.NONE || far == destination) {
                return far == destination;
            }
            sw = fabric.nodeOf(far);
        }
        int ofTables = fabric.isSwitch(sw) ? limits.from(sw, dlid) : PathLimits.NO_PATH;
        mtu = Math.min(mtu, PathLimits.mtu(ofTables));
        rateOrder = Math.min(rateOrder, PathLimits.rateOrder(ofTables));
        return ofTables != PathLimits.NO_PATH;
    }

    /** MTU code of the path walked last. */
    int mtu() {
        return mtu;
    }

    /** Rate code of the path walked last. */
    int rate() {
        return Rates.code(rateOrder);
    }
}
