package io.torussm.routing.lanes;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.EngineContext;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.LinkSettings;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The SLs of lanes: consecutive SLs from a first SL on, each with a separate VL on all links between switches.
 * At most one lane is available without QoS, or if a switch has no SL2VL tables
 * (CapabilityMask.IsSLMappingSupported, IBA 14.2.5.6). {@link LaneCables} first leaves out a few links that have
 * fewer VLs than the others. Immutable.
 */
public final class LaneSls {
    /** The last SL with a separate VL in the default SL2VL tables. */
    public static final int LAST_SL = 14;

    private final Sl2VlTables tables;
    private final boolean isQos;

    /**
     * The minimum number of data VLs that links between switches will have after programming. Links to switches with
     * one neighbour do not count, since no credit loop leads through such switches.
     */
    private final int vls;

    private final int start;
    /** The number of available lanes. */
    private final int max;

    /** True if SL2VL tables are programmed and all switches have them. */
    private final boolean hasTables;

    /** The name of a switch without SL2VL tables; empty without such a switch. */
    private final String switchWithoutSl2Vl;

    /**
     * Computes the SLs of lanes.
     *
     * @param start SL of the first lane
     */
    public LaneSls(EngineContext context, Links links, int start) {
        this.start = start;
        isQos = context.options().qos();
        tables = isQos ? context.config().sl2vl() : Sl2VlTables.DEFAULT;
        Fabric fabric = links.fabric();
        BitSet meshed = meshed(links);
        vls = dataVls(links, meshed, context.options());
        int usedVls = 0;
        int sl = start;
        while (sl <= LAST_SL && isUsable(sl) && (usedVls >> vl(sl) & 1) == 0) {
            usedVls |= 1 << vl(sl);
            sl++;
        }
        switchWithoutSl2Vl = meshed.stream()
                .filter(sw -> !hasTable(fabric.portInfo(fabric.port(sw, 0))))
                .mapToObj(fabric::name)
                .findFirst()
                .orElse("");
        hasTables = isQos && switchWithoutSl2Vl.isEmpty();
        max = hasTables ? sl - start : Math.min(1, sl - start);
    }

    /** Checks whether a switch has SL2VL tables, by the PortInfo of its port 0; true if it is unknown. */
    static boolean hasTable(@Nullable PortInfo port0) {
        return port0 == null || port0.hasCapability(PortInfo.CAP_SL_MAPPING);
    }

    /**
     * Returns the switches among which credit loops can close: switches with one neighbour are removed until no such
     * switch remains. If no switch remains, returns all switches.
     */
    private static BitSet meshed(Links links) {
        int switches = links.fabric().switchCount();
        BitSet meshed = new BitSet();
        meshed.set(0, switches);
        for (boolean isChanged = true; isChanged; ) {
            int[] leaves = meshed.stream()
                    .filter(sw -> neighbours(links, sw, meshed).distinct().count() < 2)
                    .toArray();
            IntStream.of(leaves).forEach(meshed::clear);
            isChanged = leaves.length > 0;
        }
        if (meshed.isEmpty()) {
            meshed.set(0, switches);
        }
        return meshed;
    }

    private static IntStream neighbours(Links links, int sw, BitSet among) {
        return ports(links, sw).map(links::farSwitch).filter(among::get);
    }

    /** Returns port indexes of a switch that lead to other switches. */
    private static IntStream ports(Links links, int sw) {
        Fabric fabric = links.fabric();
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.port(sw, portNum))
                .filter(port -> links.farSwitch(port) != Fabric.NONE);
    }

    private static int dataVls(Links links, BitSet among, RoutingOptions options) {
        LinkSettings settings = LinkSettings.limitedTo(options.maxOpVls());
        return among.stream()
                .flatMap(sw -> ports(links, sw))
                .filter(port -> among.get(links.farSwitch(port)))
                .map(port -> LinkSettings.dataVls(settings.operationalVls(links.fabric(), port)))
                .reduce(LinkSettings.dataVls(options.maxOpVls()), Math::min);
    }

    /** Returns the VL of an SL on links between switches. */
    private int vl(int sl) {
        return SlToVlMappingTable.vl(tables.switchExternal(), sl);
    }

    /** Checks whether packets with an SL are forwarded on all links, on a data VL that links between switches have. */
    private boolean isUsable(int sl) {
        int everywhere = Sl2VlTables.usableSls(tables.ca())
                & Sl2VlTables.usableSls(tables.router())
                & Sl2VlTables.usableSls(tables.switchPort0());
        return (everywhere >> sl & 1) != 0 && (vl(sl) < vls || (!isQos && vl(sl) != 15));
    }

    /** Returns the number of available lanes, 0 to 15. */
    public int maxLanes() {
        return max;
    }

    /**
     * Returns the remedy for too few lanes, as a text for operators.
     *
     * @param usual remedy if QoS is on and all switches have SL2VL tables
     */
    public String remedy(String usual) {
        return !isQos
                ? "start with -Q, or set qos = true"
                : hasTables
                        ? usual
                        : switchWithoutSl2Vl
                                + " has no SL2VL tables, and one VL for all: replace it, or name another engine";
    }

    /** Checks whether multicast packets with SL 0 share a VL with paths of some lane. */
    public boolean isSharedWithGroups() {
        return !hasTables || IntStream.range(0, max).anyMatch(lane -> vl(sl(lane)) == vl(0));
    }

    /**
     * Returns the SL of a lane.
     *
     * @param lane lane from 0 on
     */
    public int sl(int lane) {
        return start + lane;
    }

    /**
     * Returns the SLs (bit n: SL n) for multicast: SL 0, which is the default of groups, and SLs on a VL without
     * paths.
     *
     * @param lanes number of lanes in use
     */
    public int groupSls(int lanes) {
        int used = 0;
        for (int lane = 0; lane < lanes; lane++) {
            used |= 1 << vl(sl(lane));
        }
        int groups = 0;
        for (int sl = 0; sl <= LAST_SL; sl++) {
            boolean isFree = hasTables && (used >> vl(sl) & 1) == 0;
            groups |= isUsable(sl) && (sl == 0 || isFree) ? 1 << sl : 0;
        }
        return groups;
    }
}
