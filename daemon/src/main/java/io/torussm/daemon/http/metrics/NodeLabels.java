package io.torussm.daemon.http.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.names.Names;
import io.torussm.names.SiteMap;
import io.torussm.view.PlacedSubnet;
import java.util.stream.IntStream;

/**
 * The names and racks of nodes as labels, which queries join with other series. They exist only if the operator named
 * nodes or racks, since they need a series for each node.
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
