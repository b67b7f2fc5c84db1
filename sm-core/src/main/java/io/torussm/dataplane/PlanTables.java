package io.torussm.dataplane;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.LinkSettings;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The tables of a plan, as an SM would write them. SL2VL rows are computed on first use. */
public final class PlanTables implements ForwardingTables {
    /** A row that is not computed yet: VL 15 for every SL, which no engine makes. */
    private static final long UNKNOWN = -1;

    private static final int VL_ARBITRATION_ENTRIES = 64;

    private final Plan plan;
    private final boolean isQos;
    private final LinkSettings settings;
    private final VlArbitrationPolicy arbitration;
    private final Fabric fabric;
    private final long[][] rows;
    private final Map<Integer, Map<Integer, long[]>> groups = new HashMap<>();

    /** Returns the tables of a plan, without groups. */
    public PlanTables(Plan plan, RoutingOptions options, VlArbitrationPolicy arbitration) {
        this.plan = plan;
        this.isQos = options.qos();
        this.arbitration = arbitration;
        settings = LinkSettings.limitedTo(options.maxOpVls());
        fabric = plan.subnet().fabric();
        rows = new long[fabric.nodeCount()][];
        for (int node = 0; node < rows.length; node++) {
            int ports = fabric.numPorts(node) + 1;
            rows[node] = new long[fabric.isSwitch(node) ? ports * ports : ports];
            Arrays.fill(rows[node], UNKNOWN);
        }
    }

    /**
     * Adds a group.
     *
     * @param ports by switch: the ports to forward to, see {@link ForwardingTables#group}
     */
    public void addGroup(int mlid, Map<Integer, long[]> ports) {
        groups.put(mlid, Collections.unmodifiableMap(new LinkedHashMap<>(ports)));
    }

    @Override
    public int out(int sw, int dlid) {
        byte[] lft = plan.lft(sw);
        return dlid < lft.length ? lft[dlid] & 0xff : DROP_PORT;
    }

    @Override
    public long[] group(int sw, int mlid) {
        return groups.getOrDefault(mlid, Map.of()).getOrDefault(sw, new long[0]);
    }

    @Override
    public int vl(int node, int in, int out, int sl) {
        int place = in * (fabric.numPorts(node) + 1) + out;
        long row = rows[node][place];
        if (row == UNKNOWN) {
            int port = fabric.port(node, out);
            long wanted = fabric.isSwitch(node) ? plan.sl2vl(node, in, out) : plan.sl2vl(port);
            row = isQos ? LinkSettings.foldRow(wanted, settings.operationalVls(fabric, port)) : 0;
            rows[node][place] = row;
        }
        return SlToVlMappingTable.vl(row, sl);
    }

    @Override
    public VlArbitrationPolicy.Tables arbitration(int port) {
        PortInfo info = fabric.portInfo(port);
        int low = info == null ? 0 : info.vlArbitrationLowCap();
        int high = info == null ? 0 : info.vlArbitrationHighCap();
        return arbitration.tables(
                portClass(port),
                low == 0 ? VL_ARBITRATION_ENTRIES : low,
                low == 0 ? VL_ARBITRATION_ENTRIES : high,
                settings.operationalVls(fabric, port));
    }

    private VlArbitrationPolicy.PortClass portClass(int port) {
        int node = fabric.nodeOf(port);
        if (!fabric.isSwitch(node)) {
            return VlArbitrationPolicy.PortClass.CA;
        }
        return plan.role(node, fabric.portNum(port)) == PortRole.FABRIC_LINK
                ? VlArbitrationPolicy.PortClass.SWITCH_FABRIC_LINK
                : VlArbitrationPolicy.PortClass.SWITCH_HOST_LINK;
    }
}
