package io.torussm.routing.lanes;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.EngineContext;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.LinkSettings;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The SLs that stand for lanes: those from a first one on that have a VL of their own on all links between switches. Without QoS, and
 * where a switch has none (CapabilityMask.IsSLMappingSupported, IBA 14.2.5.6), there are no SL2VL tables to rely on, so it is one at most.
 */
public final class LaneSls {
    /** The last SL that has a VL of its own in the usual SL2VL tables. */
    public static final int LAST = 14;

    private final Sl2VlTables tables;
    private final boolean isQos;

    /** The fewest data VLs that links between switches are going to have, which may be fewer than they come up with. */
    private final int vls;

    private final int start;
    private final int most;

    /** Whether there are tables, and all switches have them. */
    private final boolean hasTables;

    private final String untabled;

    /**
     * The lanes of a run.
     *
     * @param start SL of the first lane
     */
    public LaneSls(EngineContext context, Links links, int start) {
        this.start = start;
        isQos = context.options().qos();
        tables = isQos ? context.config().sl2vl() : Sl2VlTables.DEFAULT;
        vls = dataVls(links, context.options());
        int taken = 0;
        int sl = start;
        while (sl <= LAST && isUsable(sl) && (taken >> vl(sl) & 1) == 0) {
            taken |= 1 << vl(sl);
            sl++;
        }
        Fabric fabric = links.fabric();
        untabled = IntStream.range(0, fabric.switchCount())
                .filter(sw -> !hasTable(fabric.portInfo(fabric.port(sw, 0))))
                .mapToObj(fabric::name)
                .findFirst()
                .orElse("");
        hasTables = isQos && untabled.isEmpty();
        most = hasTables ? sl - start : Math.min(1, sl - start);
    }

    private static boolean hasTable(@Nullable PortInfo port0) {
        return port0 == null || port0.can(PortInfo.CAP_SL_MAPPING);
    }

    private static int dataVls(Links links, RoutingOptions options) {
        Fabric fabric = links.fabric();
        LinkSettings settings = LinkSettings.limitedTo(options.maxOpVls());
        int fewest = LinkSettings.dataVls(options.maxOpVls());
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                int port = fabric.port(sw, portNum);
                if (links.behind(port) != Fabric.NONE) {
                    fewest = Math.min(fewest, LinkSettings.dataVls(settings.operationalVls(fabric, port)));
                }
            }
        }
        return fewest;
    }

    private int vl(int sl) {
        return SlToVlMappingTable.vl(tables.switchExternal(), sl);
    }

    /** Whether packets with an SL get everywhere, and are alone with those of the same VL between switches. */
    private boolean isUsable(int sl) {
        int everywhere = Sl2VlTables.usable(tables.ca())
                & Sl2VlTables.usable(tables.router())
                & Sl2VlTables.usable(tables.switchPort0());
        return (everywhere >> sl & 1) != 0 && (vl(sl) < vls || !isQos && vl(sl) != 15);
    }

    /** Lanes that there are, 0 to 15. */
    public int most() {
        return most;
    }

    /**
     * What to do about too few of them.
     *
     * @param usual what helps where there are SL2VL tables
     */
    public String remedy(String usual) {
        return !isQos
                ? "start with -Q, or set qos = true"
                : hasTables
                        ? usual
                        : untabled + " has no SL2VL tables, and one VL for all: replace it, or name another engine";
    }

    /** Whether groups with SL 0 are in a lane together with paths. */
    public boolean isSharedWithGroups() {
        return !hasTables || IntStream.range(0, most).anyMatch(lane -> vl(sl(lane)) == vl(0));
    }

    /** The SL of a lane. */
    public int sl(int lane) {
        return start + lane;
    }

    /**
     * The SLs (bit n: SL n) for multicast: those with a VL that no path has, and SL 0 in any case, which groups have unless
     * they are given another.
     *
     * @param lanes in use
     */
    public int groups(int lanes) {
        int used = 0;
        for (int lane = 0; lane < lanes; lane++) {
            used |= 1 << vl(sl(lane));
        }
        int groups = 0;
        for (int sl = 0; sl <= LAST; sl++) {
            boolean isFree = hasTables && (used >> vl(sl) & 1) == 0;
            groups |= isUsable(sl) && (sl == 0 || isFree) ? 1 << sl : 0;
        }
        return groups;
    }
}
