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
 * The SLs of lanes: consecutive SLs from a first SL on, each with a separate VL on all links of the mesh. The mesh is
 * the part of the fabric in which credit loops can close: all switches without those that have one neighbour, and
 * without those that then have one. A link outside the mesh may have fewer VLs; its ports have SL2VL rows with the VL
 * modulo their number ({@link LinkSettings#foldVl}).
 *
 * <p>At most one lane is available without QoS, or if a switch of the mesh has no SL2VL tables
 * (CapabilityMask.IsSLMappingSupported, IBA 14.2.5.6). Immutable.
 */
public final class LaneSls {
    /** The last SL with a separate VL in the default SL2VL tables: they give SL 15 the VL of SL 7. */
    public static final int LAST_SL = 14;

    /** The VL of SL2VL entries whose packets are discarded (IBA 7.6.6). */
    private static final int DISCARDING_VL = 15;

    private final Sl2VlTables tables;
    private final boolean isQos;

    /** The minimum number of data VLs that links of the mesh will have after programming. */
    private final int dataVls;

    private final int firstSl;

    /** The number of available lanes. */
    private final int maxLanes;

    /** True if SL2VL tables are programmed and all switches of the mesh have them. */
    private final boolean isSl2VlProgrammed;

    /** The name of a switch of the mesh without SL2VL tables; empty without such a switch. */
    private final String switchWithoutSl2Vl;

    /**
     * Computes the SLs of lanes.
     *
     * @param links links between switches that routes use; {@link LaneCables} may have left out those with few VLs
     * @param firstSl SL of the first lane
     */
    public LaneSls(EngineContext context, Links links, int firstSl) {
        this.firstSl = firstSl;
        isQos = context.options().qos();
        tables = isQos ? context.config().sl2vl() : Sl2VlTables.DEFAULT;
        Fabric fabric = links.fabric();
        BitSet mesh = mesh(links);
        dataVls = dataVls(links, mesh, context.options());
        switchWithoutSl2Vl = mesh.stream()
                .filter(sw -> !hasTable(fabric.portInfo(fabric.port(sw, 0))))
                .mapToObj(fabric::name)
                .findFirst()
                .orElse("");
        isSl2VlProgrammed = isQos && switchWithoutSl2Vl.isEmpty();
        int lanes = countSlsWithOwnVl();
        maxLanes = isSl2VlProgrammed ? lanes : Math.min(1, lanes);
    }

    /** Returns the number of SLs, from the first one on, of which each has another VL. */
    private int countSlsWithOwnVl() {
        int usedVls = 0;
        int sl = firstSl;
        while (sl <= LAST_SL && isUsable(sl) && (usedVls >> vl(sl) & 1) == 0) {
            usedVls |= 1 << vl(sl);
            sl++;
        }
        return sl - firstSl;
    }

    /** Checks whether a switch has SL2VL tables, by the PortInfo of its port 0; true if it is unknown, as most have. */
    static boolean hasTable(@Nullable PortInfo port0) {
        return port0 == null || port0.hasCapability(PortInfo.CAP_SL_MAPPING);
    }

    /**
     * Returns the switches among which credit loops can close: switches with one neighbour are removed until no such
     * switch remains. If no switch remains, returns all switches. A pass removes one layer; fabrics have few.
     */
    private static BitSet mesh(Links links) {
        int switches = links.fabric().switchCount();
        BitSet mesh = new BitSet();
        mesh.set(0, switches);
        for (boolean isChanged = true; isChanged; ) {
            int[] leaves = mesh.stream()
                    .filter(sw -> neighbours(links, sw, mesh).distinct().count() < 2)
                    .toArray();
            IntStream.of(leaves).forEach(mesh::clear);
            isChanged = leaves.length > 0;
        }
        if (mesh.isEmpty()) {
            mesh.set(0, switches);
        }
        return mesh;
    }

    private static IntStream neighbours(Links links, int sw, BitSet mesh) {
        return ports(links, sw).map(links::farSwitch).filter(mesh::get);
    }

    /** Returns port indexes of a switch that lead to other switches. */
    private static IntStream ports(Links links, int sw) {
        Fabric fabric = links.fabric();
        return IntStream.rangeClosed(1, fabric.numPorts(sw))
                .map(portNum -> fabric.port(sw, portNum))
                .filter(port -> links.farSwitch(port) != Fabric.NONE);
    }

    private static int dataVls(Links links, BitSet mesh, RoutingOptions options) {
        LinkSettings settings = LinkSettings.limitedTo(options.maxOpVls());
        return mesh.stream()
                .flatMap(sw -> ports(links, sw))
                .filter(port -> mesh.get(links.farSwitch(port)))
                .map(port -> LinkSettings.dataVls(settings.operationalVls(links.fabric(), port)))
                .reduce(LinkSettings.dataVls(options.maxOpVls()), Math::min);
    }

    /** Returns the VL of an SL on links between switches. */
    private int vl(int sl) {
        return SlToVlMappingTable.vl(tables.switchExternal(), sl);
    }

    /**
     * Checks whether packets with an SL are forwarded on all links, on a data VL that links of the mesh have. Without
     * QoS no tables are written. Then there is at most one lane, and it needs no VL of its own.
     */
    private boolean isUsable(int sl) {
        int slsOfEndPorts = Sl2VlTables.usableSls(tables.ca())
                & Sl2VlTables.usableSls(tables.router())
                & Sl2VlTables.usableSls(tables.switchPort0());
        boolean hasVl = isQos ? vl(sl) < dataVls : vl(sl) != DISCARDING_VL;
        return (slsOfEndPorts >> sl & 1) != 0 && hasVl;
    }

    /** Returns the number of available lanes, 0 to 15. */
    public int maxLanes() {
        return maxLanes;
    }

    /**
     * Returns the remedy for too few lanes, as a text for operators.
     *
     * @param defaultRemedy remedy if QoS is on and all switches of the mesh have SL2VL tables
     */
    public String remedy(String defaultRemedy) {
        if (!isQos) {
            return "start with -Q, or set qos = true";
        }
        return isSl2VlProgrammed
                ? defaultRemedy
                : switchWithoutSl2Vl + " has no SL2VL tables, and one VL for all: replace it, or name another engine";
    }

    /**
     * Checks whether multicast packets with SL 0 share a VL with an available lane, in use or not: how many lanes are
     * used may depend on the answer.
     */
    public boolean sharesVlWithMulticast() {
        return !isSl2VlProgrammed || IntStream.range(0, maxLanes).anyMatch(lane -> vl(sl(lane)) == vl(0));
    }

    /**
     * Returns the SL of a lane.
     *
     * @param lane lane from 0 on
     */
    public int sl(int lane) {
        return firstSl + lane;
    }

    /**
     * Returns the SLs (bit n: SL n) for multicast: SL 0, which is the default of groups, and SLs on a VL without
     * paths.
     *
     * @param lanes number of lanes in use
     */
    public int multicastSls(int lanes) {
        int usedVls = 0;
        for (int lane = 0; lane < lanes; lane++) {
            usedVls |= 1 << vl(sl(lane));
        }
        int sls = 0;
        for (int sl = 0; sl <= LAST_SL; sl++) {
            boolean isFree = isSl2VlProgrammed && (usedVls >> vl(sl) & 1) == 0;
            sls |= isUsable(sl) && (sl == 0 || isFree) ? 1 << sl : 0;
        }
        return sls;
    }
}
