package io.torussm.daemon.http.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.names.SiteMap;
import io.torussm.view.PlacedSubnet;
import java.util.stream.IntStream;

/**
 * Names and racks of nodes as labels by which other series can be joined. Only where the operator gave some: they are
 * as many series as nodes.
 */
final class NodeLabels {
    private NodeLabels() {}

    static void add(MetricsBuilder page, PlacedSubnet seen) {
        Fabric fabric = seen.fabric();
        if (!fabric.names().equals(Names.NONE)) {
            page.infos(
                    "node",
                    "Names, places and racks of nodes",
                    IntStream.range(0, fabric.nodeCount()).boxed().toList(),
                    node -> labels(seen, node));
        }
    }

    private static Labels labels(PlacedSubnet seen, int node) {
        SiteMap.Site site = seen.site(node);
        return Labels.of(
                "guid",
                Guid.format(seen.fabric().nodeGuid(node)),
                "name",
                seen.fabric().nodeName(node),
                "place",
                seen.place(node),
                "rack",
                site.rack(),
                "row",
                site.row(),
                "unit",
                site.unit());
    }
}
