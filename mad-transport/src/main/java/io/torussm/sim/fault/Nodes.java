package io.torussm.sim.fault;

import io.torussm.mad.Guid;
import io.torussm.sim.SimInterventions.CableEnd;
import io.torussm.sim.fault.ConsoleLine.Subject;
import io.torussm.sim.topology.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a topology by their names in lines of the console: the id of the topology, {@code @description}, or a
 * NodeGUID.
 */
final class Nodes {
    private final List<Topology.Node> all;
    private final Map<String, Topology.Node> byId = new HashMap<>();
    private final Map<String, Topology.Node> byDescription = new HashMap<>();
    private final Map<Long, Topology.Node> byGuid = new HashMap<>();

    Nodes(Topology topology) {
        all = topology.nodes();
        for (Topology.Node node : all) {
            byId.put(node.id(), node);
            byDescription.putIfAbsent(node.description(), node);
            byGuid.put(node.nodeGuid(), node);
        }
    }

    List<Topology.Node> all() {
        return all;
    }

    /**
     * Returns the node with a NodeGUID.
     *
     * @throws IllegalArgumentException if no node has it
     */
    Topology.Node of(long nodeGuid) {
        Topology.Node node = byGuid.get(nodeGuid);
        if (node == null) {
            throw new IllegalArgumentException("no node has GUID " + Guid.format(nodeGuid));
        }
        return node;
    }

    /** Returns the node with a name; null if no node has it. */
    private Topology.@Nullable Node byName(String name) {
        Topology.Node node = name.startsWith("@") ? byDescription.get(name.substring(1)) : byId.get(name);
        OptionalLong guid = Guid.parseAnyForm(name);
        return node == null && guid.isPresent() ? byGuid.get(guid.getAsLong()) : node;
    }

    /** Checks whether a node has this name. */
    boolean isName(String name) {
        return byName(name) != null;
    }

    /**
     * Returns the node that a name denotes.
     *
     * @throws BadLineException if no node has this name
     */
    Topology.Node find(Subject subject) throws BadLineException {
        String name = subject.name();
        Topology.Node node = byName(name);
        if (node == null) {
            throw new BadLineException(
                    "nodeid \"" + name + "\" (" + name + ") not found; Dump lists all nodes, and the first is "
                            + (all.isEmpty() ? "none" : '"' + all.get(0).id() + '"'));
        }
        return node;
    }

    /**
     * Returns the port that a name with a port denotes.
     *
     * @param min lowest valid port number: 0, or 1 for ports with a cable
     * @throws BadLineException if the name is unknown, or has no valid port
     */
    CableEnd port(Subject subject, int min) throws BadLineException {
        Topology.Node node = find(subject);
        if (!subject.hasPort()) {
            throw new BadLineException("no port: write " + '"' + subject.name() + "\"[1]");
        }
        if (subject.port() < Math.max(min, node.isSwitch() ? 0 : 1) || subject.port() > node.numPorts()) {
            throw new BadLineException("nodeid \"" + node.id() + "\": bad port " + subject.port() + "; use "
                    + Math.max(min, node.isSwitch() ? 0 : 1) + " to " + node.numPorts());
        }
        return new CableEnd(node.nodeGuid(), subject.port());
    }

    /**
     * Returns the port that a name with a port denotes; without a port, all ports of the node.
     *
     * @param min lowest valid port number: 0, or 1 for ports with a cable
     * @throws BadLineException if the name is unknown, or the port invalid
     */
    List<CableEnd> ports(Subject subject, int min) throws BadLineException {
        Topology.Node node = find(subject);
        if (subject.hasPort()) {
            return List.of(port(subject, min));
        }
        List<CableEnd> ports = new ArrayList<>();
        for (int portNum = Math.max(min, node.isSwitch() ? 0 : 1); portNum <= node.numPorts(); portNum++) {
            ports.add(new CableEnd(node.nodeGuid(), portNum));
        }
        return ports;
    }

    /** Returns a port as lines of the console name it: {@code "id"[port]}. */
    String text(CableEnd end) {
        return '"' + of(end.nodeGuid()).id() + "\"[" + end.portNum() + "]";
    }

    /** Returns a node as lines of the console name it: {@code "id"}. */
    String text(long nodeGuid) {
        return '"' + of(nodeGuid).id() + '"';
    }
}
