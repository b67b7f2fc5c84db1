package io.torussm.proof;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a plan, as if they had been read from files. Every pair has one SL, the one that is granted
 * for level 0.
 */
public final class PlanTables {
    private PlanTables() {}

    /** Returns the tables, with those of one group of all end ports if there is a tree. */
    public static FabricTables of(Plan plan, @Nullable MulticastTree tree, RoutingOptions options) {
        FabricTablesBuilder tables = new FabricTablesBuilder();
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            tables.node(fabric.nodeGuid(node), fabric.numPorts(node), fabric.isSwitch(node), fabric.name(node));
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int node = fabric.nodeOf(port);
            int far = fabric.peer(port);
            if (far != Fabric.NONE) {
                tables.addCable(
                        fabric.nodeGuid(node),
                        fabric.portNum(port),
                        fabric.nodeGuid(fabric.nodeOf(far)),
                        fabric.portNum(far));
            }
            if (fabric.isEndport(port)) {
                tables.setLid(
                        fabric.nodeGuid(node),
                        fabric.portNum(port),
                        1L << 62 | port,
                        subnet.lid(port),
                        subnet.lmc(port));
            }
        }
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int out = plan.lft(sw)[lid] & 0xff;
                tables.setEntry(fabric.nodeGuid(sw), lid, out > fabric.numPorts(sw) ? 0xff : out);
            }
            rows(sw, plan, options, tables);
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            for (int lid = 1; fabric.isEndport(port) && subnet.lid(port) != 0 && lid <= subnet.topLid(); lid++) {
                int sl = subnet.switchOfLid(lid) == Fabric.NONE || fabric.switchOf(port) == Fabric.NONE
                        ? -1
                        : plan.pathSl(subnet.lid(port), lid, 0);
                if (sl >= 0) {
                    tables.setPairSl(1L << 62 | port, lid, sl);
                }
            }
        }
        if (tree != null) {
            int[] members = IntStream.range(0, fabric.portCount())
                    .filter(port -> fabric.isEndport(port) && subnet.lid(port) != 0)
                    .toArray();
            tree.route(MulticastView.FIRST_MLID, members)
                    .forEach((sw, mask) -> tables.addGroupPorts(fabric.nodeGuid(sw), MulticastView.FIRST_MLID, mask));
        }
        tables.setGroupSls(plan.multicastSls());
        tables.listPairs();
        return tables.build();
    }

    private static void rows(int sw, Plan plan, RoutingOptions options, FabricTablesBuilder tables) {
        Fabric fabric = plan.subnet().fabric();
        LinkSettings links = LinkSettings.limitedTo(options.maxOpVls());
        SwitchInfo info = fabric.node(sw).switchInfo();
        boolean isPort0Mapped = info != null && info.enhancedPort0();
        for (int out = 0; out <= fabric.numPorts(sw); out++) {
            boolean isMapped = options.qos() && (out > 0 || isPort0Mapped);
            int vlCode = links.operationalVls(fabric, fabric.port(sw, out));
            for (int in = 0; in <= fabric.numPorts(sw); in++) {
                long row = isMapped ? LinkSettings.foldRow(plan.sl2vl(sw, in, out), vlCode) : 0;
                tables.setRow(fabric.nodeGuid(sw), in, out, row);
            }
        }
    }
}
