package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The plan of a subnet without a switch: two hosts on one cable, a loop cable, or a host alone. There is no
 * table to fill and no link that packets could wait for. A path is the cable, and a group needs no tree.
 *
 * <p>This plan is the same for all engines. OpenSM does not run its engines on such a subnet either.
 */
public final class Unswitched {
    private Unswitched() {}

    /**
     * Returns the plan of a subnet without a switch, with the name of an engine. If the subnet has a switch, returns
     * the result of the engine.
     */
    public static RoutingResult planOrRoute(Engine engine, EngineContext context) {
        return context.subnet().fabric().switchCount() == 0 ? plan(engine.name(), context) : engine.route(context);
    }

    private static Plan plan(String engine, EngineContext context) {
        Subnet subnet = context.subnet();
        PlanBuilder builder = Plan.builder(engine, subnet, new byte[0][]).operatorSl2Vl(context, (from, to) -> true);
        Fabric fabric = subnet.fabric();
        int usable = IntStream.range(0, fabric.portCount())
                .filter(fabric::isEndport)
                .map(endport -> Sl2VlTables.usableSls(builder.endportRows.row(endport)))
                .reduce(builder.multicastSls, (a, b) -> a & b);
        return builder.sls(sls(subnet, usable))
                .multicast(Optional.of(tree(fabric)), new int[0], usable)
                .claimsDeadlockFree()
                .build();
    }

    /** Returns the multicast tree of a fabric without a switch, which is empty. */
    public static MulticastTree tree(Fabric fabric) {
        return new MulticastTree(fabric, Fabric.NONE, new int[0], new int[0][]);
    }

    /**
     * Returns the SLs of paths over one cable.
     *
     * @param usable SLs (bit n: SL n) that paths may have; a path has its wanted SL
     */
    public static PathSls sls(Subnet subnet, int usable) {
        return new CableSls(subnet, usable);
    }

    /** The SLs of paths between two ports of the subnet: each SL that has a data VL. */
    private static final class CableSls implements PathSls {
        private final Subnet subnet;
        private final int usable;

        CableSls(Subnet subnet, int usable) {
            this.subnet = subnet;
            this.usable = usable;
        }

        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            boolean areThere = subnet.portOfLid(srcLid) != Fabric.NONE && subnet.portOfLid(dstLid) != Fabric.NONE;
            return areThere && (usable >> wanted & 1) != 0 ? wanted : -1;
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return usable;
        }
    }
}
