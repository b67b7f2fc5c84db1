package io.torussm.daemon.rolling;

import io.torussm.sim.topology.Topology;
import java.util.List;
import java.util.Map;

/**
 * A fabric and how it is routed.
 *
 * @param engine as {@code routing_engine} has it
 * @param settings lines of opensm.conf
 * @param files by the option of opensm.conf that names them
 * @param own lines of torus-sm.conf beyond those that migrate-conf makes
 */
record RollingCase(
        String name,
        String engine,
        Topology topology,
        List<String> settings,
        Map<String, String> files,
        List<String> own) {
    RollingCase {
        settings = List.copyOf(settings);
        files = Map.copyOf(files);
        own = List.copyOf(own);
    }

    /** Returns the node IDs of channel adapters with a cable at their first port, in the order of the topology. */
    List<String> hosts() {
        return topology.nodes().stream()
                .filter(node -> !node.isSwitch() && node.peer(1) != null)
                .map(Topology.Node::id)
                .toList();
    }
}
