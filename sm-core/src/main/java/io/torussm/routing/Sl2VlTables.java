package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import java.util.stream.IntStream;

/**
 * The operator's SL2VL tables by kind of port, packed as {@link SlToVlMappingTable#packed()}. A port discards
 * packets with an SL that its table maps to VL15.
 *
 * @param ca SL2VL row of channel adapters
 * @param router SL2VL row of routers
 * @param switchExternal SL2VL row of switches, from any port to any external port
 * @param switchPort0 SL2VL row of switches, from port 0 to itself
 */
public record Sl2VlTables(long ca, long router, long switchExternal, long switchPort0) {
    /** VL = SL, except that SL 15 uses VL7, because VL15 carries management packets only. */
    public static final long IDENTITY = 0x0123_4567_89ab_cde7L;

    /** {@link #IDENTITY} for all kinds of ports. */
    public static final Sl2VlTables DEFAULT = new Sl2VlTables(IDENTITY, IDENTITY, IDENTITY, IDENTITY);

    /** Returns the table of an end port. */
    long of(Fabric fabric, int endport) {
        int node = fabric.nodeOf(endport);
        return fabric.isSwitch(node) ? switchPort0 : isRouter(fabric, node) ? router : ca;
    }

    /**
     * Returns the SLs (bit n: SL n) that have a data VL on switches and on most hosts. So a single host that reports
     * to be a router excludes no SL for the other hosts.
     */
    int slsOnMostHosts(Fabric fabric) {
        int hosts = fabric.nodeCount() - fabric.switchCount();
        long routers = IntStream.range(fabric.switchCount(), fabric.nodeCount())
                .filter(node -> isRouter(fabric, node))
                .count();
        int ofHosts = hosts == 0 ? 0xffff : usableSls(routers * 2 > hosts ? router : ca);
        return usableSls(switchExternal) & usableSls(switchPort0) & ofHosts;
    }

    private static boolean isRouter(Fabric fabric, int node) {
        return fabric.node(node).info().nodeType() == NodeInfo.ROUTER;
    }

    /** Returns the SLs (bit n: SL n) that have a data VL in a table. */
    public static int usableSls(long table) {
        int usable = 0;
        for (int sl = 0; sl < 16; sl++) {
            usable |= SlToVlMappingTable.vl(table, sl) == 15 ? 0 : 1 << sl;
        }
        return usable;
    }
}
