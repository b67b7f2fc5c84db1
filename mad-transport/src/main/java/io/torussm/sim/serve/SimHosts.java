package io.torussm.sim.serve;

import io.torussm.sim.topology.Topology;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The ports for clients, by the names in {@code SIM_HOST}: the id of a node in the topology, or its description. A port
 * number in brackets may follow; the default is port 1, or port 0 of a switch. Immutable.
 */
final class SimHosts {
    private static final Pattern WITH_PORT = Pattern.compile("(.+)\\[(\\d{1,3})\\]");

    private final Map<String, Topology.Node> byId = new HashMap<>();
    private final Map<String, Topology.Node> byDescription = new HashMap<>();
    private final Topology.@Nullable Node first;

    /**
     * A port with a LID.
     *
     * @param node node of the topology
     * @param portNum port number; 0 for a switch
     */
    record Host(Topology.Node node, int portNum) {}

    SimHosts(Topology topology) {
        for (Topology.Node node : topology.nodes()) {
            byId.putIfAbsent(node.id(), node);
            byDescription.putIfAbsent(node.description(), node);
        }
        first = topology.firstHost().orElse(null);
    }

    /**
     * Returns the port with a name.
     *
     * @param name name; empty for the first host
     * @return null if no port has this name
     */
    @Nullable
    Host find(String name) {
        if (name.isEmpty()) {
            return first == null ? null : endPortOrNull(first, 1);
        }
        Topology.Node node = node(name);
        if (node != null) {
            return endPortOrNull(node, node.isSwitch() ? 0 : 1);
        }
        Matcher withPort = WITH_PORT.matcher(name);
        Topology.Node named = withPort.matches() ? node(withPort.group(1)) : null;
        return named == null ? null : endPortOrNull(named, Integer.parseInt(withPort.group(2)));
    }

    private Topology.@Nullable Node node(String name) {
        Topology.Node node = byId.get(name);
        return node != null ? node : byDescription.get(name);
    }

    /** Returns a port if it exists and can have a LID; otherwise null. */
    private static @Nullable Host endPortOrNull(Topology.Node node, int portNum) {
        boolean isThere = node.isSwitch() ? portNum == 0 : portNum >= 1 && portNum <= node.numPorts();
        return isThere ? new Host(node, portNum) : null;
    }
}
