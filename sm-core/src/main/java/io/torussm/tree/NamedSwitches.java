package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The switches of a fabric by the GUIDs in files of operators. The GUID of a host denotes the switches to which
 * the host is attached.
 */
public final class NamedSwitches {
    private final Fabric fabric;

    /** The switches by node GUID and by port GUID of the hosts that are attached to them. */
    private final Map<Long, List<Integer>> ofHosts = new HashMap<>();

    /** Reads the hosts of a fabric. */
    public NamedSwitches(Fabric fabric) {
        this.fabric = fabric;
        for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
            for (int port = fabric.port(node, 1); port <= fabric.port(node, fabric.numPorts(node)); port++) {
                int sw = fabric.isEndport(port) ? fabric.switchOf(port) : Fabric.NONE;
                if (sw != Fabric.NONE) {
                    ofHosts.computeIfAbsent(fabric.nodeGuid(node), any -> new ArrayList<>())
                            .add(sw);
                    ofHosts.computeIfAbsent(fabric.portGuid(port), any -> new ArrayList<>())
                            .add(sw);
                }
            }
        }
    }

    /**
     * Returns the switches that the GUID of a switch, a host or a port of a host denotes; empty if no such device is
     * present.
     */
    public List<Integer> of(long guid) {
        int node = fabric.nodeByGuid(guid);
        return node != Fabric.NONE && fabric.isSwitch(node) ? List.of(node) : ofHosts.getOrDefault(guid, List.of());
    }
}
